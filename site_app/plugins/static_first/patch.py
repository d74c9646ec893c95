"""Every edit of text that Reflex generates, each with the reason for it. An edit that finds nothing to edit stops the build."""

import json
from pathlib import Path

from site_app.plugins.static_first.site import StaticSite
from site_app.plugins.static_first.toolchain import REPORT


class TemplateHasChanged(Exception):
    """Generated text no longer holds what the build edits; look at the new text, then mend the edit."""


def replace(text: str, *changes: tuple[str, str]) -> str:
    """The text with each old part exchanged for its new one."""
    for old, new in changes:
        if old not in text:
            raise TemplateHasChanged(f"{old!r} is gone")
        text = text.replace(old, new)
    return text


def cut(text: str, begins: str, ends: str) -> str:
    """The text without the part from the one to the end of the other."""
    head, mark, remainder = text.partition(begins)
    _, ended, tail = remainder.partition(ends)
    if not (mark and ended):
        raise TemplateHasChanged(f"{begins if not mark else ends!r} is gone")
    return head + tail


def own_style(text: str, sources: Path) -> str:
    """styles/tailwind.css with the tokens, the reset and every sheet of the site's own sources, and none but the listed class names.

    Design: the site has its own tokens, and its styles stand beside its components.
    """
    folder = f"../{sources.name}"
    sheets = sorted(sheet.relative_to(sources) for sheet in sources.rglob("*.css") if sheet.parent != sources)
    imports = "".join(f'@import "{folder}/{sheet}" layer(components);\n' for sheet in sheets)
    utilities = '@import "tailwindcss/utilities.css" layer(utilities)'
    tokens = f'@import "{folder}/theme.css" layer(theme);\n@import "{folder}/reset.css" layer(base);\n'
    return replace(
        text,
        ('@import "tailwindcss/theme.css" layer(theme);\n', tokens),
        ('@import "tailwindcss/preflight.css" layer(base);\n', f'@import "{folder}/base.css";\n'),
        (f"{utilities};\n", f"{imports}{utilities} source(none);\n"),
    )


def only_a_chosen_theme(text: str) -> str:
    """utils/react-theme.js that keeps no theme before one was chosen.

    Storage: nothing is stored of a visitor who chose nothing. Reflex edits this file in place, so the edit may be there.
    """
    original = "if (!isInitialized && existingTheme !== null) return;"
    replacement = "if (existingTheme === null ? theme === defaultTheme : !isInitialized) return;"
    return text if replacement in text else replace(text, (original, replacement))


def static_document(text: str) -> str:
    """app/_document.js without its inline scripts, and with the stylesheet named instead of linked.

    Policy: no inline script may run; the theme's line and the page's script are put into the page after the build, and known by their hash.
    Boot: the page holds its own part of the style, and its script fetches the whole when that is needed.
    """
    preload = 'jsx("link",{as:"style",href:reflexGlobalStyles,rel:"preload"},),'
    link = 'jsx("link",{href:reflexGlobalStyles,rel:"stylesheet",type:"text/css"},),'
    text = replace(
        text,
        (preload, ""),
        (link, 'jsx("meta",{name:"stylesheet",content:reflexGlobalStyles},),'),
        ("jsx(ScrollRestoration,{},),", ""),
        ("jsx(Meta,{},),", ""),  # of routes that export some; Reflex writes them into the page
        ("jsx(Links,{},)", ""),
        ("jsx(Scripts,{},)", "jsx(FallbackScripts,{},)"),
    )
    text = cut(text, r'jsx("script",{},"\n// Only run in browser environment', r'\n"),')
    return 'import {FallbackScripts} from "$/static_first/fallback_scripts"\n' + text


def vite_config(text: str, core: tuple[str, ...]) -> str:
    """vite.config.js with two of Reflex's modules exchanged for ours, and what every page needs in two files.

    Boot: in forty files the start takes a slow line a second longer; and a page that waits for React must say which elements wait.
    """
    react = r'{ name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 1 }'
    parts = (r"vite.preload-helper", r"\.web[\\/](utils|build_parts|static_first)[\\/]", *core)
    shared = f'{{ name: "core", test: /{"|".join(parts)}/ }}'
    plugin = 'import { markHandlers } from "./static_first/mark_handlers.mjs";\n\nexport default defineConfig'
    grouped = f"environments: {{ client: {{ build: {{ rollupOptions: {{ output: {{ codeSplitting: {{ groups: [{react}, {shared}] }} }} }} }} }} }},"
    return replace(
        _own_modules(text),
        ("export default defineConfig", plugin),
        ("    reactRouter(),\n", "    markHandlers(),\n    reactRouter(),\n"),
        ("  experimental: {\n", f"  {grouped}\n  experimental: {{\n"),
    )


def development_config(text: str, site: StaticSite, *, backend: str) -> str:
    """vite.config.js of the development server, with our plugin, which passes requests on to the backend."""
    options = {"answered": site.answered, "posted": site.posted, "afterPost": site.after_post, "served": dict(site.served)}
    options["report"] = REPORT
    options["sources"] = str(site.sources.resolve()) if site.sources else ""
    return replace(
        _own_modules(text),
        (
            "export default defineConfig",
            'import { development } from "./static_first/development.mjs";\n\nexport default defineConfig',
        ),
        ("    reactRouter(),\n", f"    development({json.dumps(backend)}, {json.dumps(options)}),\n    reactRouter(),\n"),
    )


def _own_modules(text: str) -> str:
    """Two of Reflex's modules exchanged for ours.

    Builds: one holds the time of the build, which would change every hash, the other this build's address, which would tie the
    files to one host and port.
    """
    own = {'"$/reflex.json"': "reflex.js", '"$/env.json"': "environment.js"}
    replacements = "".join(
        f'      {{ find: {import_name}, replacement: fileURLToPath(new URL("./static_first/{name}", import.meta.url)) }},\n'
        for import_name, name in own.items()
    )
    return replace(text, ("alias: [\n", f"alias: [\n{replacements}"))

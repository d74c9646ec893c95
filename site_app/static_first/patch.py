"""Every edit of text that Reflex generates, each with the reason for it. An edit that finds nothing to edit stops the build."""

import re
from pathlib import Path

COMPONENTS = Path(__file__).parents[2] / "components"


class TemplateHasChanged(Exception):
    """Generated text no longer holds what the build edits; look at the new text, then mend the edit."""


def replace(text: str, *changes: tuple[str, str]) -> str:
    """The text with each old part exchanged for its new one."""
    for old, new in changes:
        if old not in text:
            raise TemplateHasChanged(f"{old!r} is gone")
        text = text.replace(old, new)
    return text


def remove(text: str, pattern: str) -> str:
    """The text without what matches the pattern."""
    text, found = re.subn(pattern, "", text, flags=re.DOTALL)
    if not found:
        raise TemplateHasChanged(f"nothing matches {pattern!r}")
    return text


def own_style(text: str) -> str:
    """styles/tailwind.css with our tokens, our reset and every components/**/*.css, and no source but rxconfig's.

    Design: the site has its own tokens, and its styles stand beside the components.
    """
    sheets = sorted(sheet for sheet in COMPONENTS.rglob("*.css") if sheet.parent != COMPONENTS)
    ours = "".join(f'@import "../{sheet.relative_to(COMPONENTS.parent)}" layer(components);\n' for sheet in sheets)
    utilities = '@import "tailwindcss/utilities.css" layer(utilities)'
    tokens = '@import "../components/theme.css" layer(theme);\n@import "../components/reset.css" layer(base);\n'
    return replace(
        text,
        ('@import "tailwindcss/theme.css" layer(theme);\n', tokens),
        ('@import "tailwindcss/preflight.css" layer(base);\n', '@import "../components/base.css";\n'),
        (f"{utilities};\n", f"{ours}{utilities} source(none);\n"),
    )


def only_a_chosen_theme(text: str) -> str:
    """utils/react-theme.js that keeps no theme before one was chosen.

    Storage: the cookies policy says that the theme is remembered for who chose one. Reflex edits this file in place, so the edit may be there.
    """
    theirs = "if (!isInitialized && existingTheme !== null) return;"
    ours = "if (existingTheme === null ? theme === defaultTheme : !isInitialized) return;"
    return text if ours in text else replace(text, (theirs, ours))


def static_document(text: str) -> str:
    """app/_document.js without its inline scripts, and with the stylesheet named instead of linked.

    Policy: no inline script may run; the theme's line and the page's script are put into the page after the build, and known by their hash.
    Boot: the page holds its own part of the style, and its script fetches the whole when that is needed.
    """
    theme_script = r'jsx\("script",\{\},"\\n// Only run in browser environment.*?\\n"\),'
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
    return 'import {FallbackScripts} from "$/build_parts/fallback_scripts"\n' + remove(text, theme_script)


def vite_config(text: str) -> str:
    """vite.config.js with two of Reflex's modules exchanged for ours, and what every page needs in two files.

    Boot: in forty files the start takes a slow line a second longer.
    """
    react = r'{ name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 1 }'
    core = (
        r'{ name: "core", test: /node_modules[\\/](?!libphonenumber|react-phone|country-flag|input-format)|vite.preload-helper'
        r"|\.web[\\/](utils|build_parts|components[\\/](layout|browser))[\\/]"
        r"|app_components[\\/]site_app[\\/]layout[\\/](shell|frame_en)\./ }"
    )
    grouped = f"environments: {{ client: {{ build: {{ rollupOptions: {{ output: {{ codeSplitting: {{ groups: [{react}, {core}] }} }} }} }} }} }},"
    return replace(_own_modules(text), ("  experimental: {\n", f"  {grouped}\n  experimental: {{\n"))


def development_config(text: str, *, backend: str) -> str:
    """vite.config.js of the development server, with our plugin for it: it passes on what the backend answers."""
    return replace(
        _own_modules(text),
        (
            "export default defineConfig",
            'import { development } from "./build_parts/development.js";\n\nexport default defineConfig',
        ),
        ("    reactRouter(),\n", f'    development("{backend}"),\n    reactRouter(),\n'),
    )


def _own_modules(text: str) -> str:
    """Two of Reflex's modules exchanged for ours.

    Builds: one holds the time of the build, which would change every hash, the other this build's address, which would tie the
    files to one host and port.
    """
    own = {'"$/reflex.json"': "reflex.js", '"$/env.json"': "environment.js"}
    ours = "".join(
        f'      {{ find: {theirs}, replacement: fileURLToPath(new URL("./build_parts/{name}", import.meta.url)) }},\n'
        for theirs, name in own.items()
    )
    return replace(text, ("alias: [\n", f"alias: [\n{ours}"))

"""Every edit of files that Reflex generates, each with its reason. An edit that finds no match stops the build."""

import json
from pathlib import Path

from site_app.plugins.static_first.site import StaticSite
from site_app.plugins.static_first.toolchain import REPORT


class TemplateHasChanged(Exception):
    """The generated text no longer contains the part to edit; look at the new text, then fix the edit."""


def replace(text: str, *changes: tuple[str, str]) -> str:
    """Returns the text with each old part replaced by its new one; raises TemplateHasChanged if an old part is missing."""
    for old, new in changes:
        if old not in text:
            raise TemplateHasChanged(f"{old!r} is gone")
        text = text.replace(old, new)
    return text


def cut(text: str, begins: str, ends: str) -> str:
    """Returns the text without the part from `begins` to the end of `ends`; raises TemplateHasChanged if one is missing."""
    head, mark, remainder = text.partition(begins)
    _, ended, tail = remainder.partition(ends)
    if not (mark and ended):
        raise TemplateHasChanged(f"{begins if not mark else ends!r} is gone")
    return head + tail


def edit_tailwind_css(text: str, sources: Path) -> str:
    """Imports into styles/tailwind.css the tokens, the reset and every sheet of the site's sources, and turns class detection off.

    Design: the site has its own tokens, which replace those of Tailwind with the same name, and its styles are next to its components.
    """
    folder = f"../{sources.name}"
    sheets = sorted(sheet.relative_to(sources) for sheet in sources.rglob("*.css") if sheet.parent != sources)
    imports = "".join(f'@import "{folder}/{sheet}" layer(components);\n' for sheet in sheets)
    utilities = '@import "tailwindcss/utilities.css" layer(utilities)'
    defaults = '@import "tailwindcss/theme.css" layer(theme);\n'  # only those that a class uses are written
    tokens = f'@import "{folder}/theme.css" layer(theme);\n@import "{folder}/reset.css" layer(base);\n'
    return replace(
        text,
        (defaults, defaults + tokens),
        ('@import "tailwindcss/preflight.css" layer(base);\n', f'@import "{folder}/base.css";\n'),
        (f"{utilities};\n", f"{imports}{utilities} source(none);\n"),
    )


def edit_react_theme(text: str) -> str:
    """Makes utils/react-theme.js store no theme before the visitor has chosen one.

    Storage: nothing is stored for a visitor who chose nothing. Reflex edits this file in place, so the edit may already be there.
    """
    original = "if (!isInitialized && existingTheme !== null) return;"
    replacement = "if (existingTheme === null ? theme === defaultTheme : !isInitialized) return;"
    return text if replacement in text else replace(text, (original, replacement))


def edit_state_js(text: str) -> str:
    """Makes utils/state.js run the calls that handlers send as text without eval, and load the pages that have documents of their own.

    Policy: no text runs as a script; rx.window_alert, rx.set_clipboard, rx.scroll_to and rx.call_script send their calls as text.
    Documents: React would mount such a page, and send its events, before the browser loads it; the socket that it opens for them would be
    taken for another tab, and the visitor's state lost. Reflex keeps this file, so each edit may already be there.
    """
    io_import = 'import io from "socket.io-client";\n'
    evaluate_import = 'import { evaluate } from "$/static_first/evaluate";\n'
    documents_import = 'import { isBeingLeft, loadRedirected } from "$/static_first/documents";\n'
    names = "{ addEvents, ReflexEvent, refs }"
    reconnect = "socket.current.reconnect = () => {\n"
    redirect = "    if (event.payload.replace) {\n      navigate(pathname, { replace: true });\n"
    changes = (
        (io_import, io_import + evaluate_import),
        (evaluate_import, evaluate_import + documents_import),
        ("eval(event.payload.callback)", f"evaluate(event.payload.callback, {names})"),
        ("eval(event.payload.javascript_code)", f"evaluate(event.payload.javascript_code, {names})"),
        ("eval(event.payload.function)", f"evaluate(event.payload.function, {names})"),
        ('console.log("_call_script", e)', "console.error(e.message)"),
        ('console.log("_call_function", e)', "console.error(e.message)"),
        (reconnect, f"{reconnect}    if (isBeingLeft()) {{\n      return;\n    }}\n"),
        (redirect, f"    if (loadRedirected(pathname, event.payload.replace)) {{\n      return;\n    }}\n{redirect}"),
    )
    return replace(text, *(change for change in changes if not _is_done(text, *change)))


def _is_done(text: str, old: str, new: str) -> bool:
    """Returns True if the text has the new part, and the old one nowhere else."""
    return new in text and old not in text.replace(new, "")


def edit_document(text: str) -> str:
    """Removes from app/_document.js its inline scripts, and names the stylesheet in a meta element instead of linking it.

    Policy: only inline scripts with a known hash may run; the build adds the theme's and the page's script afterwards, with their hashes.
    Boot: the page contains the styles it needs, and its script fetches the whole stylesheet when it is needed.
    """
    preload = 'jsx("link",{as:"style",href:reflexGlobalStyles,rel:"preload"},),'
    link = 'jsx("link",{href:reflexGlobalStyles,rel:"stylesheet",type:"text/css"},),'
    text = replace(
        text,
        (preload, ""),
        (link, 'jsx("meta",{name:"stylesheet",content:reflexGlobalStyles},),'),
        ("jsx(ScrollRestoration,{},),", ""),
        ("jsx(Meta,{},),", ""),  # for routes that export meta; Reflex writes meta elements into the page instead
        ("jsx(Links,{},)", ""),
        ("jsx(Scripts,{},)", "jsx(FallbackScripts,{},)"),
    )
    text = cut(text, r'jsx("script",{},"\n// Only run in browser environment', r'\n"),')
    return 'import {FallbackScripts} from "$/static_first/fallback_scripts"\n' + text


def edit_vite_config(text: str, core: tuple[str, ...]) -> str:
    """Edits vite.config.js of a build: our modules for two of Reflex's, shared modules in two files, handlers marked, routes cached.

    Boot: with forty files the start takes a second longer on a slow connection. A page that waits for React must mark the elements
    that have handlers. Builds: React Router's part of unchanged pages takes a quarter of the bundler's time.
    """
    react = r'{ name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 1 }'
    parts = (r"vite.preload-helper", r"\.web[\\/](utils|build_parts|static_first)[\\/]", *core)
    shared = f'{{ name: "core", test: /{"|".join(parts)}/ }}'
    imports = "".join(
        f'import {{ {name} }} from "./static_first/{file}.mjs";\n'
        for name, file in (("cacheRoutes", "route_cache"), ("markHandlers", "mark_handlers"))
    )
    grouped = f"environments: {{ client: {{ build: {{ rollupOptions: {{ output: {{ codeSplitting: {{ groups: [{react}, {shared}] }} }} }} }} }} }},"
    return replace(
        _alias_own_modules(text),
        ("export default defineConfig", f"{imports}\nexport default defineConfig"),
        ("    reactRouter(),\n", "    markHandlers(),\n    cacheRoutes(reactRouter()),\n"),
        ("  experimental: {\n", f"  {grouped}\n  experimental: {{\n"),
    )


def edit_development_config(text: str, site: StaticSite, *, backend: str) -> str:
    """Adds our plugin to vite.config.js of the development server: it proxies requests to the backend."""
    options = {
        "proxiedPaths": site.proxied_paths,
        "postedPath": site.posted_path,
        "pathAfterPost": site.path_after_post,
        "servedFolders": dict(site.served_folders),
        "sources": str(site.sources.resolve()) if site.sources else "",
        "report": REPORT,
    }
    return replace(
        _alias_own_modules(text),
        (
            "export default defineConfig",
            'import { development } from "./static_first/development.mjs";\n\nexport default defineConfig',
        ),
        ("    reactRouter(),\n", f"    development({json.dumps(backend)}, {json.dumps(options)}),\n    reactRouter(),\n"),
    )


def _alias_own_modules(text: str) -> str:
    """Makes vite.config.js replace two of Reflex's modules with ours.

    Builds: the first contains the build time, which would change every hash; the second contains the build's address, which would tie
    the files to one host and port.
    """
    own_modules = {'"$/reflex.json"': "reflex.js", '"$/env.json"': "environment.js"}
    replacements = "".join(
        f'      {{ find: {import_name}, replacement: fileURLToPath(new URL("./static_first/{name}", import.meta.url)) }},\n'
        for import_name, name in own_modules.items()
    )
    return replace(text, ("alias: [\n", f"alias: [\n{replacements}"))

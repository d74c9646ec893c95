"""What React's part of the site weighs: one core file for what every page needs, and nothing in it that nobody calls.

Measured on the home page: 203 kB after idle before these edits. Each edit leaves Reflex's behaviour as it is where the policy
of this site would let it run at all.
"""

import re

from site_app.build.edit import remove, replace

# Every page imports these; in a file each they cost a request and compress worse.
_PACKAGES = (
    *("react", "react-dom", "react-router", "scheduler", "cookie", "set-cookie-parser", "mergician"),
    *("socket.io-client", "socket.io-parser", "engine.io-client", "engine.io-parser", "@socket.io"),
)
_WATCHERS = (
    *("after_paint", "dialog_history", "elsewhere", "frames", "hydrated", "invokers", "language_choice", "locale", "menus"),
    *("mirror", "once_opened", "page_change", "page_loader", "page_not_found", "page_views", "scroll_memory", "theme_color"),
)
_SLASH = r"[\\/]"
_REACT = rf"node_modules{_SLASH}(react|react-dom|scheduler){_SLASH}"
_CORE = "|".join(
    (
        f"node_modules{_SLASH}({'|'.join(map(re.escape, _PACKAGES))}){_SLASH}",
        r"vite.preload-helper",
        rf"\.web{_SLASH}(utils|build_parts){_SLASH}",
        rf"\.web{_SLASH}components{_SLASH}(frame{_SLASH}|browser{_SLASH}({'|'.join(_WATCHERS)})\.js)",
        rf"app_components{_SLASH}site_app{_SLASH}shell{_SLASH}(shell|frame_en)\.",  # the others come with their pages
    )
)
# Their indexes name every transport there is; a module of theirs that nobody asks for does nothing by being there.
_SOCKET = rf"node_modules{_SLASH}(socket|engine)\.io-client{_SLASH}"


def one_core(text: str) -> str:
    """vite.config.js with a chunk of its own for the core; in the browser's build only, the server's has no use for it."""
    react, core = f'{{ name: "react", test: /{_REACT}/, priority: 1 }}', f'{{ name: "core", test: /{_CORE}/ }}'
    output = f"output: {{ codeSplitting: {{ groups: [{react}, {core}] }} }}"
    shaken = f"treeshake: {{ moduleSideEffects: (id) => !/{_SOCKET}/.test(id) }}"
    ours = f"environments: {{ client: {{ build: {{ rollupOptions: {{ {output}, {shaken} }} }} }} }},"
    return replace(
        text,
        ("  experimental: {\n", f"  {ours}\n  experimental: {{\n"),
        ("    reactRouter(),\n", "    standIns(),\n    reactRouter(),\n"),
        ("export default defineConfig(", 'import standIns from "./build_parts/stand_ins.js";\n\nexport default defineConfig('),
    )


def without_registry(text: str) -> str:
    """app/root.jsx without `window.__reflex`: it holds whole packages for components made of text, which the policy forbids."""
    text = remove(text, r"useEffect\(\(\) => \{\s*// Make contexts and state objects available.*?\}, \[\]\);")
    return remove(text, r'import \* as (emotion_react|utils_\w+) from "[^"]+";\n')


def without_direct_eval(text: str) -> str:
    """utils/state.js without direct calls of eval: they keep every name around them from being shortened or dropped."""
    ours = "await import(/* @vite-ignore */ dataUri)"
    return (
        text if ours in text else replace(text, ("await eval(`import(dataUri)`)", ours), (" eval(event.", " (0, eval)(event."))
    )


def only_a_chosen_theme(text: str) -> str:
    """utils/react-theme.js that keeps no theme before one was chosen: nobody has asked for the default to be remembered."""
    theirs = "if (!isInitialized && existingTheme !== null) return;"
    ours = "if (existingTheme === null ? theme === defaultTheme : !isInitialized) return;"
    return text if ours in text else replace(text, (theirs, ours))


def early_router(text: str) -> str:
    """app/entry.client.js that makes the router in a task of its own: with the first render it is one that a slow phone feels.

    HydratedRouter waits for the loaders' data, then makes the router and keeps it, and then comes its first hook: apart from a render
    it throws what it waits for, and the second time that hook breaks off. What goes wrong here goes wrong again, and is told, in the render.
    """
    theirs = "startTransition(() => {\n  hydrateRoot(document, createElement(HydratedRouter));\n});"
    ours = (
        "const ahead = async () => {\n  try {\n    HydratedRouter({});\n  } catch (awaited) {\n    await awaited;\n  }\n};\n"
        "const hydrate = () => startTransition(() => hydrateRoot(document, createElement(HydratedRouter)));\n"
        "const breath = () => new Promise((resolve) => setTimeout(resolve));\n"
        "ahead().then(breath).then(ahead).then(breath).then(hydrate, hydrate);"
    )
    return text if ours in text else replace(text, (theirs, ours))

"""The options of the build. Each has a default, and with the defaults any Reflex app can be built."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# What Reflex's own part of every page is made of; a package that one page alone uses stays in that page's files.
CORE_PACKAGES = r"node_modules[\\/](@?react-router|@emotion|stylis|hoist-non-react-statics|react-is|@?socket\.io|engine\.io|universal-cookie|cookie|mergician)"


@dataclass(frozen=True)
class StaticSite:
    """`sources` is a folder of scripts and styles, found as $/<its name>/…; with a theme.css in it, it is the whole style of the site.

    `entry` is the script of every page, below $/; `modules` are JavaScript modules made while the site is built, found as
    $/build_parts/<name>. `head` is put into every page's head. `core` are patterns of further modules that every page needs.
    `check_events` gets the events that pages bind and Reflex's handlers, and returns what is wrong with them, in sentences.
    """

    sources: Path | None = None
    entry: str = "static_first/entry.js"
    head: str = ""
    modules: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)  # texts served below the site's root, by path
    core: tuple[str, ...] = (CORE_PACKAGES,)
    elsewhere: Iterable[str] = ()  # paths that the server answers without a file of their own, such as redirects
    draw: Callable[[Path], None] = lambda public: None  # draws pictures into that folder before the pages are compiled
    is_strict: Callable[[str], bool] = lambda path: True  # whether a page without title, description or one h1 stops the build
    check_events: Callable[[Collection[str], Mapping[str, Any]], list[str]] = lambda bound, handlers: []
    write: Callable[[Path], None] = lambda static: None  # writes further files beside the finished pages
    # of the development server: see development.mjs
    answered: tuple[str, ...] = ()
    posted: str = ""
    after_post: str = ""
    served: Mapping[str, str] = field(default_factory=dict)

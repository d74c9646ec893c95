"""The options of the build, each with a default that suits any Reflex app, and the scripts and styles that are copied for the
compiler.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from reflex.utils.prerequisites import get_web_dir

from site_app.plugins.static_first.page_needs import PageNeeds

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
    head_script: str = ""  # a plain script for every page's head; the build minifies it
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


BROWSER_FOLDER = Path(__file__).with_name("browser")
_KINDS = (".js", ".jsx", ".json", ".css")


def browser_files(site: StaticSite, needs: Mapping[str, PageNeeds]) -> list[tuple[Path, str]]:
    """Each file's text, with its path in the compiler's folder; some are modules made of values."""
    copied = [
        (Path("static_first") / file.name, file.read_text())
        for file in [*sorted(BROWSER_FOLDER.iterdir()), BROWSER_FOLDER.with_name("development.mjs")]
    ]
    if site.sources:
        sources = sorted(file for file in site.sources.rglob("*") if file.suffix in _KINDS)
        copied += [(file.relative_to(site.sources.parent), file.read_text()) for file in sources]
    reflex = f"export default {json.dumps({'version': version('reflex')})};\n"
    documents = exports(OWN_DOCUMENTS=[path for path, page in needs.items() if page.own_document])
    generated = {
        "static_first/built.js": built_values(),
        "static_first/reflex.js": reflex,
        "static_first/own_documents.js": documents,
    }
    generated |= {f"build_parts/{name}": text for name, text in site.modules.items()}
    generated |= {f"public/{name}": text for name, text in site.files.items()}
    return [*copied, *((Path(name), text) for name, text in generated.items())]


def built_values(**values: Any) -> str:
    """A module with the addresses of the build's modules, which are known at its end; in development they are empty."""
    return exports(**{name: values.get(name, "") for name in ("CORE", "MANIFEST", "ROOT", "ENTRY")})


def exports(**values: Any) -> str:
    """A module of these constants."""
    return "".join(f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in values.items())


def compiled() -> Path:
    """Where Reflex compiles."""
    return get_web_dir().resolve()

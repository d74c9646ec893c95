"""Scripts and styles, copied to where the compiler finds them: ours as $/static_first/…, the site's as $/<folder>/…."""

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from reflex.utils.prerequisites import get_web_dir

from site_app.plugins.static_first.page_needs import PageNeeds
from site_app.plugins.static_first.site import StaticSite

OWN = Path(__file__).with_name("browser")
_KINDS = (".js", ".jsx", ".json", ".css")


def browser_files(site: StaticSite, needs: Mapping[str, PageNeeds]) -> list[tuple[Path, str]]:
    """Each file's text, with its path in the compiler's folder; some are modules made of values."""
    copied = [
        (Path("static_first") / file.name, file.read_text())
        for file in [*sorted(OWN.iterdir()), OWN.with_name("development.mjs")]
    ]
    if site.sources:
        found = sorted(file for file in site.sources.rglob("*") if file.suffix in _KINDS)
        copied += [(file.relative_to(site.sources.parent), file.read_text()) for file in found]
    reflex = f"export default {json.dumps({'version': version('reflex')})};\n"
    documents = exports(OWN_DOCUMENTS=[path for path, page in needs.items() if page.own_document])
    made = {
        "static_first/built.js": built_values(),
        "static_first/reflex.js": reflex,
        "static_first/own_documents.js": documents,
    }
    made |= {f"build_parts/{name}": text for name, text in site.modules.items()}
    made |= {f"public/{name}": text for name, text in site.files.items()}
    return [*copied, *((Path(name), text) for name, text in made.items())]


def built_values(**values: Any) -> str:
    """A module with the addresses of the build's modules, which are known at its end; in development they are empty."""
    return exports(**{name: values.get(name, "") for name in ("CORE", "MANIFEST", "ROOT", "ENTRY")})


def exports(**values: Any) -> str:
    """A module of these constants."""
    return "".join(f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in values.items())


def compiled() -> Path:
    """Where Reflex compiles."""
    return get_web_dir().resolve()

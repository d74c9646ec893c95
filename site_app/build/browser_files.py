"""What is written in JavaScript and CSS, copied to where the compiler finds it as $/components/… and $/build/…."""

import json
from pathlib import Path

from site_app.i18n import LOCALES
from site_app.routes import BY_PATH, REDIRECTS

ROOT = Path(__file__).parents[2]
COMPONENTS = ROOT / "components"


def browser_files() -> list[tuple[Path, str | bytes]]:
    """Our scripts and styles, and the tables of languages and routes that they share with Python."""
    scripts = [file for kind in ("*.js", "*.jsx", "*.css") for file in sorted(COMPONENTS.rglob(kind))]
    copied = [(file.relative_to(ROOT), file.read_text()) for file in scripts]
    stock_head = Path(__file__).with_name("stock_head.js")
    return [*copied, (Path("build_parts/stock_head.js"), stock_head.read_text()), (Path("build_parts/site.js"), _tables())]


def _tables() -> str:
    tables = {
        "LOCALES": [{"id": one.id, "tag": one.tag, "prefix": one.prefix} for one in LOCALES],
        "ROUTES": {path: route.tag for path, route in BY_PATH.items()},
        "REDIRECTS": REDIRECTS,
    }
    return "".join(f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in tables.items())

"""What is written in JavaScript and CSS, copied to where the compiler finds it as $/components/… and $/build/…."""

import json
import re
from importlib.metadata import version
from pathlib import Path

from site_app.i18n import LOCALES
from site_app.routes import BY_PATH, REDIRECTS

ROOT = Path(__file__).parents[2]
STAND_INS = (
    *("stock_head.js", "environment.js", "jsx.js", "transports.js", "no_cookies.js", "no_uploads.js", "mergician.js"),
    *("stand_ins.js", "single_fetch.js", "fog_of_war.js", "instrumentation.js"),
)
COMPONENTS = ROOT / "components"
_OWN_STYLE = re.compile(
    r'^import "\./\w+\.css";\n', re.MULTILINE
)  # of parts that stand alone elsewhere: here one sheet has it all
INSIGHTS = ROOT / "site_app/web/insights.js"  # served as /insights/script.js


def browser_files() -> list[tuple[Path, str | bytes]]:
    """Our scripts and styles, and the tables of languages and routes that they share with Python."""
    scripts = [file for kind in ("*.js", "*.jsx", "*.css") for file in sorted(COMPONENTS.rglob(kind))]
    copied = [(file.relative_to(ROOT), _OWN_STYLE.sub("", file.read_text())) for file in scripts]
    own = [Path(__file__).with_name(name) for name in STAND_INS]
    parts = [(file.name, file.read_text()) for file in own]
    made = [("site.js", _tables()), ("reflex.js", f"export default {json.dumps({'version': version('reflex')})};\n")]
    insights = (Path("public/insights/script.js"), INSIGHTS.read_text())
    return [*copied, insights, *((Path("build_parts") / name, text) for name, text in (*parts, *made))]


def _tables() -> str:
    tables = {
        "LOCALES": [{"id": one.id, "tag": one.tag, "prefix": one.prefix} for one in LOCALES],
        "ROUTES": {path: route.tag for path, route in BY_PATH.items()},
        "REDIRECTS": REDIRECTS,
    }
    return "".join(f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in tables.items())

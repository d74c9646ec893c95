"""What is written in JavaScript and CSS, copied to where the compiler finds it as $/components/… and $/build_parts/…."""

import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from components.art.font import HEADLINE_FONT, HEADLINE_LANGUAGE
from components.art.icons import IconColors, icon_files
from components.layout.snackbar import icon_paths
from site_app import colors
from site_app.content.notices import messages
from site_app.i18n import LOCALES

ROOT = Path(__file__).parents[2]
COMPONENTS = ROOT / "components"
COMPILED = ROOT / ".web"
_OWN_STYLE = re.compile(
    r'^import "\./\w+\.css";\n', re.MULTILINE
)  # of parts that stand alone elsewhere: here one sheet has it all
INSIGHTS = ROOT / "site_app/serving/insights.js"  # served as /insights/script.js


def browser_files() -> list[tuple[Path, str | bytes]]:
    """Our scripts and styles, and what is handed in to them."""
    scripts = [file for kind in ("*.js", "*.jsx", "phone_input/*.json", "*.css") for file in sorted(COMPONENTS.rglob(kind))]
    copied = [(file.relative_to(ROOT), _OWN_STYLE.sub("", file.read_text())) for file in scripts]
    own = [Path(__file__).with_name(name) for name in ("environment.js", "fallback_scripts.js", "development.js")]
    made = [(file.name, file.read_text()) for file in own]
    made += [("configuration.js", _configuration()), ("messages.js", _exports(ICONS=icon_paths(), MESSAGES=messages()))]
    made += [("built.js", built_values()), ("reflex.js", f"export default {json.dumps({'version': version('reflex')})};\n")]
    insights = (Path("public/insights/script.js"), INSIGHTS.read_text())
    return [*copied, insights, *((Path("build_parts") / name, text) for name, text in made)]


def write_icons(public: Path = COMPILED / "public") -> None:
    """Draw the icons beside the files of assets/: Reflex writes texts only for a plugin, and these are pictures."""
    light, dark = (IconColors(of["primary"], of["on-primary"]) for of in (colors.light(), colors.dark()))
    for name, content in icon_files(light, dark).items():
        (public / name).parent.mkdir(parents=True, exist_ok=True)
        (public / name).write_bytes(content)


def built_values(**values: Any) -> str:
    """What only a finished build knows: the addresses of its modules; none in development."""
    return _exports(**{name: values.get(name, "") for name in ("CORE", "MANIFEST", "ROOT", "ENTRY")})


def _configuration() -> str:
    """All that the scripts of components/browser know of this site; words and paths of pages are handed in where they are used."""
    return _exports(
        LOCALES=[{"id": one.id, "tag": one.tag, "prefix": one.prefix} for one in LOCALES],
        API="/v1.0",
        PAGE_VIEWS="/insights/script.js",
        HEADLINE_FONT=HEADLINE_FONT,
        HEADLINE_LANGUAGE=HEADLINE_LANGUAGE,
    )


def _exports(**values: Any) -> str:
    return "".join(f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in values.items())

"""The picture each page is shared with, drawn while the site is built."""

import hashlib
from functools import cache
from pathlib import Path

from components.art.open_graph import Palette, draw
from site_app.core import colors
from site_app.core.i18n import LOCALES, use
from site_app.core.routes import ROUTES
from site_app.core.settings import Settings
from site_app.layout.head import card_image
from site_app.plugins.static_first.browser_files import compiled

_ROOT = Path(__file__).parents[2]
_ART = _ROOT / "components/art"
_FACE = _ROOT / "assets/fonts"


def write_cards(static: Path, settings: Settings) -> None:
    """One PNG for each page and language; one that an earlier build drew from the same words and figures is used again."""
    (static / "cards").mkdir(exist_ok=True)
    cache = compiled() / "drawn_cards"  # from build to build: drawing them all takes seconds
    cache.mkdir(exist_ok=True)
    light = colors.light()
    palette = Palette(light["tint"], light["surface-raised"], light["ink"], light["primary"])
    used = set()
    for route in ROUTES:
        for locale in LOCALES:
            with use(locale):
                drawn = _drawn(cache, route.title(), _figure(route.tag), settings.brand_name, palette)
            (static / card_image(route, locale).lstrip("/")).write_bytes(drawn.read_bytes())
            used.add(drawn)
    for old in set(cache.iterdir()) - used:
        old.unlink()


def _drawn(cache: Path, title: str, figure: str, brand: str, palette: Palette) -> Path:
    name = hashlib.sha256(repr((title, figure, brand, palette, _tools())).encode()).hexdigest()
    file = cache / f"{name}.png"
    if not file.exists():
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_bytes(draw(title, figure, brand=brand, palette=palette))
        unfinished.rename(file)
    return file


@cache
def _tools() -> str:
    """One digest of what draws: the code, the figures and the face."""
    digest = hashlib.sha256()
    for file in sorted((*_ART.rglob("*"), *_FACE.rglob("*"))):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def _figure(tag: str) -> str:
    """The figure named like the page; sheets of paper for the documents, which have none of their own."""
    name = tag.replace("-", "_")
    return name if (_ART / "figures" / f"{name}.svg").exists() else "documents"

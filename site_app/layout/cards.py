"""The pictures that other sites show when a page is shared, one for each page and language."""

import hashlib
from functools import cache
from pathlib import Path

from components.art.art import Palette, draw
from site_app.content.routes import ROUTES
from site_app.core import ROOT, colors
from site_app.core.i18n import LOCALES, use
from site_app.core.settings import Settings
from site_app.layout.head import card_image
from site_app.plugins.static_first.site import compiled

_DRAWINGS = ROOT / "components/art"
_FONTS = ROOT / "assets/fonts"


def write_cards(static: Path, settings: Settings) -> None:
    """Writes a PNG for each page and language; reuses the PNG of an earlier build with the same text and drawing."""
    (static / "cards").mkdir(exist_ok=True)
    cache = compiled() / "drawn_cards"  # kept between builds, because drawing all cards takes seconds
    cache.mkdir(exist_ok=True)
    shades = colors.light()
    palette = Palette(shades["tint"], shades["surface-raised"], shades["ink"], shades["primary"])
    used = set()
    for route in ROUTES:
        for locale in LOCALES:
            with use(locale):
                file = _card_file(cache, route.title(), _drawing_of(route.tag), settings.brand_name, palette)
            (static / card_image(route, locale).lstrip("/")).write_bytes(file.read_bytes())
            used.add(file)
    for old in set(cache.iterdir()) - used:
        old.unlink()


def _card_file(cache: Path, title: str, drawing: str, brand: str, palette: Palette) -> Path:
    """Returns the file of a card, which it draws if no earlier build has drawn the same."""
    name = hashlib.sha256(repr((title, drawing, brand, palette, _drawing_digest())).encode()).hexdigest()
    file = cache / f"{name}.png"
    if not file.exists():
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_bytes(draw(title, drawing, brand=brand, palette=palette))
        unfinished.rename(file)
    return file


@cache
def _drawing_digest() -> str:
    """Returns a digest of all that cards are drawn with: the code, the drawings and the font."""
    digest = hashlib.sha256()
    for file in sorted((*_DRAWINGS.rglob("*"), *_FONTS.rglob("*"))):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def _drawing_of(tag: str) -> str:
    """Returns the name of the drawing that is called like the page, or the home page's if there is none."""
    name = tag.replace("-", "_")
    return name if (_DRAWINGS / "drawings" / f"{name}.svg").exists() else "home"

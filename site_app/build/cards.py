"""The picture each page is shared with, drawn while the site is built."""

from pathlib import Path

from components.art.open_graph import draw
from site_app.build.head import card_image
from site_app.i18n import LOCALES, use
from site_app.routes import ROUTES
from site_app.settings import Settings

_FIGURES = Path(__file__).parents[2] / "components" / "art" / "figures"


def write_cards(static: Path, settings: Settings) -> None:
    """One PNG for each page and language."""
    (static / "cards").mkdir(exist_ok=True)
    for route in ROUTES:
        for locale in LOCALES:
            with use(locale):
                picture = draw(route.title(), _figure(route.tag), brand=settings.brand_name)
            (static / card_image(route, locale).lstrip("/")).write_bytes(picture)


def _figure(tag: str) -> str:
    """The figure named like the page; the drawer of documents for the legal pages, which have none of their own."""
    name = tag.replace("-", "_")
    return name if (_FIGURES / f"{name}.svg").exists() else "faq"

"""Writes files beside the pages: the sharing picture of each page, the sitemap, robots.txt, llms.txt, security.txt."""

import hashlib
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from components.art.open_graph import Palette, draw
from site_app.content.routes import ROUTES
from site_app.core import colors
from site_app.core.i18n import ENGLISH, LOCALES, use
from site_app.core.settings import Settings
from site_app.layout.head import card_image
from site_app.plugins.static_first.check import Page
from site_app.plugins.static_first.site import compiled

_ROOT = Path(__file__).parents[2]
_ART = _ROOT / "components/art"
_FACE = _ROOT / "assets/fonts"


def write_cards(static: Path, settings: Settings) -> None:
    """Writes a PNG for each page and language; reuses the PNG of an earlier build with the same text and figures."""
    (static / "cards").mkdir(exist_ok=True)
    cache = compiled() / "drawn_cards"  # kept between builds, because drawing all cards takes seconds
    cache.mkdir(exist_ok=True)
    light = colors.light()
    palette = Palette(light["tint"], light["surface-raised"], light["ink"], light["primary"])
    used = set()
    for route in ROUTES:
        for locale in LOCALES:
            with use(locale):
                file = _card_file(cache, route.title(), _figure(route.tag), settings.brand_name, palette)
            (static / card_image(route, locale).lstrip("/")).write_bytes(file.read_bytes())
            used.add(file)
    for old in set(cache.iterdir()) - used:
        old.unlink()


def _card_file(cache: Path, title: str, figure: str, brand: str, palette: Palette) -> Path:
    name = hashlib.sha256(repr((title, figure, brand, palette, _tools())).encode()).hexdigest()
    file = cache / f"{name}.png"
    if not file.exists():
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_bytes(draw(title, figure, brand=brand, palette=palette))
        unfinished.rename(file)
    return file


@cache
def _tools() -> str:
    """Returns a digest of everything a card is drawn with: the code, the figures and the font."""
    digest = hashlib.sha256()
    for file in sorted((*_ART.rglob("*"), *_FACE.rglob("*"))):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def _figure(tag: str) -> str:
    """Returns the figure named like the page; "documents" for pages without a figure, such as the sample documents."""
    name = tag.replace("-", "_")
    return name if (_ART / "figures" / f"{name}.svg").exists() else "home"


_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


def write_machine_files(static: Path, settings: Settings) -> None:
    """Writes what machines read; what a page says of its languages is read from the page."""
    (static / "sitemap.xml").write_bytes(_sitemap(static, settings.url))
    (static / "robots.txt").write_text(_robots(settings))
    (static / "llms.txt").write_text(_llms(settings))
    (static / ".well-known").mkdir(exist_ok=True)
    (static / ".well-known/security.txt").write_text(_security(settings))


def _sitemap(static: Path, url: str) -> bytes:
    ElementTree.register_namespace("", _SITEMAP)
    ElementTree.register_namespace("xhtml", _XHTML)
    urls = ElementTree.Element(f"{{{_SITEMAP}}}urlset")
    for route in ROUTES:
        head, _, _ = (static / route.path.lstrip("/") / "index.html").read_text().partition("<body")
        english = Page(route.path, head)
        for path in dict.fromkeys([route.path, *english.alternates.values()]):
            entry = ElementTree.SubElement(urls, f"{{{_SITEMAP}}}url")
            ElementTree.SubElement(entry, f"{{{_SITEMAP}}}loc").text = url + path
            if route.changed:
                ElementTree.SubElement(entry, f"{{{_SITEMAP}}}lastmod").text = route.changed.isoformat()
            for tag, alternate in english.alternates.items():
                attributes = {"rel": "alternate", "hreflang": tag, "href": url + alternate}
                ElementTree.SubElement(entry, f"{{{_XHTML}}}link", attributes)
    return ElementTree.tostring(urls, encoding="utf-8", xml_declaration=True)


def _robots(settings: Settings) -> str:
    if not settings.production:
        return "# not the public site: SITE_PRODUCTION is off\nUser-agent: *\nDisallow: /\n"
    return f"User-agent: *\nDisallow: /meetings/\nDisallow: /v1.0/\n\nSitemap: {settings.url}/sitemap.xml\n"


def _llms(settings: Settings) -> str:
    with use(ENGLISH):
        pages = "".join(f"- [{route.title()}]({settings.url + route.path}): {route.description()}\n" for route in ROUTES)
        home = ROUTES[0]
        return f"# {settings.brand_name}\n\n> {home.description()}\n\n## Pages\n\n{pages}"


def _security(settings: Settings) -> str:
    # RFC 9116 requires an expiry date; the end of next year keeps builds of the same commit identical.
    ends = datetime(datetime.now(UTC).year + 1, 12, 31, tzinfo=UTC) + timedelta(hours=23)
    return (
        f"Contact: mailto:{settings.brand_email}\nExpires: {ends:%Y-%m-%dT%H:%M:%SZ}\n"
        f"Preferred-Languages: {', '.join(locale.tag.partition('-')[0] for locale in LOCALES)}\nCanonical: {settings.url}/.well-known/security.txt\n"
    )

"""The options that this site passes to static_first, and the files beside the pages that the build writes.

The options are scripts and their values, the head and pictures. The files are the feeds in Atom and JSON, the sharing picture of each
page, the sitemap, robots.txt, llms.txt and security.txt. Only the build imports this module.
"""

import hashlib
import json
import re
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from components.art.art import HEADLINE_FONT, HEADLINE_LANGUAGE, IconColors, Palette, draw, icon_files
from components.art.pictures import ADDRESS
from components.layout import icon_paths
from components.phone_input import flags
from site_app.content.navigation import messages
from site_app.content.people import person
from site_app.content.publications import Publication, all_publications
from site_app.content.publications.prose import prose
from site_app.content.routes import BY_PATH, PLAIN_BOOKING, REDIRECTS, ROUTES
from site_app.core import colors
from site_app.core.i18n import ENGLISH, LOCALES, Locale, href, split, t, use
from site_app.core.published_pages import write_page_tags
from site_app.core.settings import Settings, settings
from site_app.layout.head import FEEDS, card_image
from site_app.plugins.socket_guard import check_handlers
from site_app.plugins.static_first.check import Page
from site_app.plugins.static_first.site import CORE_PACKAGES, StaticSite, compiled, exports
from site_app.serving.plain_forms import posted_kinds
from site_app.states.snackbar import TIMEOUTS_MS

ROOT = Path(__file__).parents[2]
_ART = ROOT / "components/art"
_FACE = ROOT / "assets/fonts"
_FOLDER = Path(__file__).parent
_INSIGHTS = "insights/script.js"
_PREFIX = f"({'|'.join(locale.prefix for locale in LOCALES)})"


def static_site() -> StaticSite:
    """Returns this site's options for StaticFirstPlugin."""
    return StaticSite(
        sources=ROOT / "components",
        entry="components/browser/reading/entry.js",
        head=_speculation_rules(),
        head_script=_theme_script(),
        modules={
            "configuration.js": exports(
                LOCALES=[{"id": locale.id, "tag": locale.tag, "prefix": locale.prefix} for locale in LOCALES],
                PAGE_VIEWS=f"/{_INSIGHTS}",
                HEADLINE_FONT=HEADLINE_FONT,
                HEADLINE_LANGUAGE=HEADLINE_LANGUAGE,
            ),
            "messages.js": exports(ICONS=icon_paths(), MESSAGES=messages(), TIMEOUTS_MS=TIMEOUTS_MS),
        },
        files={_INSIGHTS: (ROOT / "site_app/serving/insights.js").read_text()},
        core_modules=(
            CORE_PACKAGES,
            r"\.web[\\/]components[\\/](layout|browser|reliable_form)[\\/]",
            r"app_components[\\/]site_app[\\/]layout[\\/](shell|page_layout_en)\.",
        ),
        server_paths=[*REDIRECTS, *(locale.prefix + PLAIN_BOOKING for locale in LOCALES)],
        draw_assets=draw_icons,
        write_files=write_files,
        check_events=check_handlers,
        is_strict=lambda path: split(path)[1] in BY_PATH,
        proxied_paths=(
            r"^/(v1\.0|plain|calendar|readyz|ping|office)(/|\?|$)",
            rf"^{_PREFIX}/(book|meetings|partners|confirm)(/|\?|$)",
        ),
        posted_path=rf"^{_PREFIX}({'|'.join(posted_kinds())})(/sent)?(\?|$)",
        path_after_post=r"/sent(\?|$)",
        served_folders={"/flags": "node_modules/country-flag-icons/3x2"},
    )


def draw_icons(public: Path) -> None:
    """Draws the icons next to the files of assets/."""
    light, dark = (IconColors(shades["primary"], shades["on-primary"]) for shades in (colors.light(), colors.dark()))
    for name, content in icon_files(light, dark).items():
        (public / name).parent.mkdir(parents=True, exist_ok=True)
        (public / name).write_bytes(content)


def write_files(static: Path) -> None:
    """Writes the files beside the pages. Copies the phone input's flags from their npm package, so that browsers load none from other hosts."""
    write_cards(static, settings())
    write_machine_files(static, settings())
    write_feeds(static, settings())
    write_page_tags(static.parent, {route.path: route.tag for route in ROUTES})
    _remove_unused_pictures(static)
    (static / "flags").mkdir(exist_ok=True)
    for path, picture in flags():
        (static / "flags" / path.name).write_text(picture)


def _remove_unused_pictures(static: Path) -> None:
    """Delete pictures of earlier builds, which no page of this one shows."""
    used = {name for page in static.rglob("*.html") for name in re.findall(rf"{ADDRESS}/([^ \",]+)", page.read_text())}
    for file in (static / ADDRESS.strip("/")).glob("*"):
        if file.name not in used:
            file.unlink()


def _theme_script() -> str:
    """Returns the script that sets the theme before the first paint."""
    script = (_FOLDER / "theme.js").read_text()
    return script.replace("{theme}", settings().theme).replace("{dark}", colors.dark()["background"])


def _speculation_rules() -> str:
    """Returns the speculation rules, by which browsers preload pages."""
    rules = (_FOLDER / "speculation_rules.json").read_text().strip()
    return f'<script type="speculationrules">{rules}</script>'


LENGTH = 30  # entries of a feed, the newest
_ATOM = "http://www.w3.org/2005/Atom"
_OWN_ADDRESS = re.compile(r'(?<=[" ])(/(?!/)[^" ]*)(?=[" ])')
_ATTRIBUTE = re.compile(r'(?:href|src|srcset)="[^"]*"')


def write_feeds(static: Path, settings: Settings) -> None:
    """Write both feeds of each language that has an entry of its own."""
    for locale in LOCALES:
        entries = [text for text in all_publications() if text.is_in(locale)]
        entries.sort(key=lambda text: (text.changed, text.slug), reverse=True)
        folder = static / locale.prefix.strip("/")
        folder.mkdir(exist_ok=True)
        with use(locale):
            (folder / "feed.atom").write_bytes(_atom(entries[:LENGTH], locale, settings))
            (folder / "feed.json").write_text(_json(entries[:LENGTH], locale, settings), encoding="utf-8")


def _title(settings: Settings) -> str:
    return t("{name}: case studies and articles", name=settings.brand_name)


def _content(publication: Publication, settings: Settings) -> str:
    """The text as HTML with whole addresses, since a reader shows it elsewhere."""
    page = settings.url + href(publication.path)
    html = prose(publication.text()).html.replace('href="#', f'href="{page}#')
    return _ATTRIBUTE.sub(lambda attribute: _OWN_ADDRESS.sub(settings.url + r"\1", attribute[0]), html)


def _moment(day: date) -> str:
    return datetime.combine(day, time(), UTC).isoformat().replace("+00:00", "Z")


def _atom(entries: list[Publication], locale: Locale, settings: Settings) -> bytes:
    ElementTree.register_namespace("", _ATOM)
    feed = ElementTree.Element(f"{{{_ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": locale.tag})

    def add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
        element = ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
        element.text = text or None
        return element

    address = settings.url + locale.prefix
    add(feed, "id", f"{address}/feed.atom")
    add(feed, "title", _title(settings))
    add(feed, "updated", _moment(max((text.changed for text in entries), default=date(1970, 1, 1))))
    add(feed, "link", rel="self", type=FEEDS["feed.atom"], href=f"{address}/feed.atom")
    add(feed, "link", rel="alternate", type="text/html", href=f"{address or settings.url}/")
    add(add(feed, "author"), "name", settings.brand_name)
    for publication in entries:
        text, entry = publication.text(), add(feed, "entry")
        page = settings.url + href(publication.path)
        add(entry, "id", page)
        add(entry, "title", text.title)
        add(entry, "link", rel="alternate", type="text/html", href=page)
        add(entry, "published", _moment(publication.facts.date))
        add(entry, "updated", _moment(publication.changed))
        for slug in publication.facts.authors:
            if author := person(slug):
                add(add(entry, "author"), "name", author.name)
        for tag in text.tags:
            add(entry, "category", term=tag)
        add(entry, "summary", text.summary)
        add(entry, "content", _content(publication, settings), type="html")
    return ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)


def _json(entries: list[Publication], locale: Locale, settings: Settings) -> str:
    address = settings.url + locale.prefix
    items = [
        {
            "id": settings.url + href(publication.path),
            "url": settings.url + href(publication.path),
            "title": publication.text().title,
            "summary": publication.text().summary,
            "content_html": _content(publication, settings),
            "date_published": _moment(publication.facts.date),
            "date_modified": _moment(publication.changed),
            "authors": [{"name": author.name} for slug in publication.facts.authors if (author := person(slug))],
            "tags": list(publication.text().tags),
            "language": locale.tag,
        }
        for publication in entries
    ]
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": _title(settings),
        "home_page_url": f"{address}/",
        "feed_url": f"{address}/feed.json",
        "language": locale.tag,
        "items": items,
    }
    return json.dumps(feed, ensure_ascii=False, indent=1)


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
                file = _card_file(cache, route.title(), _drawing_of(route.tag), settings.brand_name, palette)
            (static / card_image(route, locale).lstrip("/")).write_bytes(file.read_bytes())
            used.add(file)
    for old in set(cache.iterdir()) - used:
        old.unlink()


def _card_file(cache: Path, title: str, drawing: str, brand: str, palette: Palette) -> Path:
    name = hashlib.sha256(repr((title, drawing, brand, palette, _tools())).encode()).hexdigest()
    file = cache / f"{name}.png"
    if not file.exists():
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_bytes(draw(title, drawing, brand=brand, palette=palette))
        unfinished.rename(file)
    return file


@cache
def _tools() -> str:
    """Returns a digest of everything a card is drawn with: the code, the drawings and the font."""
    digest = hashlib.sha256()
    for file in sorted((*_ART.rglob("*"), *_FACE.rglob("*"))):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def _drawing_of(tag: str) -> str:
    """Returns the drawing named like the page; "documents" for pages without one, such as the sample documents."""
    name = tag.replace("-", "_")
    return name if (_ART / "drawings" / f"{name}.svg").exists() else "home"


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

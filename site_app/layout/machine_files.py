"""The files that programs read: sitemap.xml, robots.txt, llms.txt, security.txt, and feeds in Atom (RFC 4287) and JSON Feed 1.1."""

import json
import re
from datetime import UTC, date, datetime, time
from pathlib import Path
from xml.etree import ElementTree

from site_app.content.people import person
from site_app.content.publications import Publication, all_publications
from site_app.content.publications.prose import prose
from site_app.content.routes import FEEDS, ROUTES
from site_app.core.http.paths import API
from site_app.core.i18n import href, t, use
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings
from site_app.plugins.static_first.parsed_page import Page

_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"


def write_machine_files(static: Path, settings: Settings) -> None:
    """Writes the files. The sitemap takes each page's languages from the built page, which links to them."""
    (static / "sitemap.xml").write_bytes(_sitemap(static, settings.url))
    (static / "robots.txt").write_text(_robots_txt(settings))
    (static / "llms.txt").write_text(_llms_txt(settings))
    (static / ".well-known").mkdir(exist_ok=True)
    (static / ".well-known/security.txt").write_text(_security_txt(settings))


def _sitemap(static: Path, url: str) -> bytes:
    ElementTree.register_namespace("", _SITEMAP_NAMESPACE)
    ElementTree.register_namespace("xhtml", _XHTML_NAMESPACE)
    urls = ElementTree.Element(f"{{{_SITEMAP_NAMESPACE}}}urlset")
    for route in ROUTES:
        head, _, _ = (static / route.path.lstrip("/") / "index.html").read_text().partition("<body")
        english = Page(route.path, head)
        for path in dict.fromkeys([route.path, *english.alternates.values()]):
            entry = ElementTree.SubElement(urls, f"{{{_SITEMAP_NAMESPACE}}}url")
            ElementTree.SubElement(entry, f"{{{_SITEMAP_NAMESPACE}}}loc").text = url + path
            if route.changed:
                ElementTree.SubElement(entry, f"{{{_SITEMAP_NAMESPACE}}}lastmod").text = route.changed.isoformat()
            for tag, alternate in english.alternates.items():
                attributes = {"rel": "alternate", "hreflang": tag, "href": url + alternate}
                ElementTree.SubElement(entry, f"{{{_XHTML_NAMESPACE}}}link", attributes)
    return ElementTree.tostring(urls, encoding="utf-8", xml_declaration=True)


def _robots_txt(settings: Settings) -> str:
    if not settings.production:
        return "# not the public site: SITE_PRODUCTION is off\nUser-agent: *\nDisallow: /\n"
    return f"User-agent: *\nDisallow: /meetings/\nDisallow: {API}/\n\nSitemap: {settings.url}/sitemap.xml\n"


def _llms_txt(settings: Settings) -> str:
    with use(ENGLISH):
        pages = "".join(f"- [{route.title()}]({settings.url + route.path}): {route.description()}\n" for route in ROUTES)
        home = ROUTES[0]
        return f"# {settings.brand_name}\n\n> {home.description()}\n\n## Pages\n\n{pages}"


def _security_txt(settings: Settings) -> str:
    # RFC 9116 recommends less than a year. A first of a month, ten to eleven months ahead, keeps a month's builds of one commit identical.
    today = datetime.now(UTC)
    expires = datetime(today.year + (today.month > 1), (today.month - 2) % 12 + 1, 1, tzinfo=UTC)
    return (
        f"Contact: mailto:{settings.brand_email}\nExpires: {expires:%Y-%m-%dT%H:%M:%SZ}\n"
        f"Preferred-Languages: {', '.join(locale.tag.partition('-')[0] for locale in LOCALES)}\nCanonical: {settings.url}/.well-known/security.txt\n"
    )


FEED_ENTRIES = 30  # the newest publications
_ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"
_PATH_OF_SITE = re.compile(r'(?<=[" ])(/(?!/)[^" ]*)(?=[" ])')
_DRAWING = re.compile(r"<svg .*?</svg>", re.DOTALL)  # of a chart, which stays a list of labels and figures
_TAG = re.compile(r"<[a-z][^<>]*>")  # matches nothing in a code sample, whose < is written &lt;
_ADDRESS_ATTRIBUTE = re.compile(r'(?:href|src|srcset)="[^"]*"')


def write_feeds(static: Path, settings: Settings) -> None:
    """Writes both feeds of each language, with the publications that exist in it."""
    for locale in LOCALES:
        entries = [publication for publication in all_publications() if publication.is_in(locale)]
        entries.sort(key=lambda publication: (publication.changed, publication.slug), reverse=True)
        folder = static / locale.prefix.strip("/")
        folder.mkdir(exist_ok=True)
        with use(locale):
            (folder / "feed.atom").write_bytes(_atom_feed(entries[:FEED_ENTRIES], locale, settings))
            (folder / "feed.json").write_text(_json_feed(entries[:FEED_ENTRIES], locale, settings), encoding="utf-8")


def _feed_title(settings: Settings) -> str:
    return t("{name}: case studies and articles", name=settings.brand_name)


def _content_html(publication: Publication, settings: Settings) -> str:
    """Returns the text as HTML with absolute addresses, because feed readers show it elsewhere."""
    page = settings.url + href(publication.path)

    def with_absolute_addresses(tag: re.Match[str]) -> str:
        absolute = tag[0].replace('href="#', f'href="{page}#')
        return _ADDRESS_ATTRIBUTE.sub(lambda attribute: _PATH_OF_SITE.sub(settings.url + r"\1", attribute[0]), absolute)

    return _TAG.sub(with_absolute_addresses, _DRAWING.sub("", prose(publication.words()).html))


def _timestamp(day: date) -> str:
    """Returns the beginning of the day, in UTC, as RFC 3339 writes it."""
    return datetime.combine(day, time(), UTC).isoformat().replace("+00:00", "Z")


def _atom_feed(entries: list[Publication], locale: Locale, settings: Settings) -> bytes:
    ElementTree.register_namespace("", _ATOM_NAMESPACE)
    feed = ElementTree.Element(f"{{{_ATOM_NAMESPACE}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": locale.tag})

    def add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
        element = ElementTree.SubElement(parent, f"{{{_ATOM_NAMESPACE}}}{name}", attributes)
        element.text = text or None
        return element

    folder_url = settings.url + locale.prefix
    add(feed, "id", f"{folder_url}/feed.atom")
    add(feed, "title", _feed_title(settings))
    add(feed, "updated", _timestamp(max((publication.changed for publication in entries), default=date(1970, 1, 1))))
    add(feed, "link", rel="self", type=FEEDS["feed.atom"], href=f"{folder_url}/feed.atom")
    add(feed, "link", rel="alternate", type="text/html", href=settings.url + href("/"))
    add(add(feed, "author"), "name", settings.brand_name)
    for publication in entries:
        text = publication.words()
        entry = add(feed, "entry")
        page = settings.url + href(publication.path)
        add(entry, "id", page)
        add(entry, "title", text.title)
        add(entry, "link", rel="alternate", type="text/html", href=page)
        add(entry, "published", _timestamp(publication.facts.date))
        add(entry, "updated", _timestamp(publication.changed))
        for slug in publication.facts.authors:
            if author := person(slug):
                add(add(entry, "author"), "name", author.name)
        for tag in text.tags:
            add(entry, "category", term=tag)
        add(entry, "summary", text.summary)
        add(entry, "content", _content_html(publication, settings), type="html")
    return ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)


def _json_feed(entries: list[Publication], locale: Locale, settings: Settings) -> str:
    folder_url = settings.url + locale.prefix
    items = [
        {
            "id": settings.url + href(publication.path),
            "url": settings.url + href(publication.path),
            "title": publication.words().title,
            "summary": publication.words().summary,
            "content_html": _content_html(publication, settings),
            "date_published": _timestamp(publication.facts.date),
            "date_modified": _timestamp(publication.changed),
            "authors": [{"name": author.name} for slug in publication.facts.authors if (author := person(slug))],
            "tags": list(publication.words().tags),
            "language": locale.tag,
        }
        for publication in entries
    ]
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": _feed_title(settings),
        "home_page_url": settings.url + href("/"),
        "feed_url": f"{folder_url}/feed.json",
        "language": locale.tag,
        "items": items,
    }
    return json.dumps(feed, ensure_ascii=False, indent=1)

"""Feeds of case studies and articles, Atom and JSON Feed, in each language."""

import json
import re
from datetime import UTC, date, datetime, time
from pathlib import Path
from xml.etree import ElementTree

from site_app.content.people import person
from site_app.content.publications import Publication, all_publications
from site_app.content.publications.prose import prose
from site_app.core.i18n import LOCALES, Locale, href, t, use
from site_app.core.settings import Settings
from site_app.layout.head import FEEDS

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

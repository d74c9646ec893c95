"""The metadata in the head of a page: addresses, languages, cards for other sites, data for search engines."""

import json
from collections.abc import Iterable
from typing import Any

import reflex as rx

from site_app.content.publications import KINDS
from site_app.content.routes import Route
from site_app.core import colors
from site_app.core.i18n import ENGLISH, LOCALES, Locale, current
from site_app.core.settings import Settings

FEEDS = {"feed.atom": "application/atom+xml", "feed.json": "application/feed+json"}  # files with their types


def title(route: Route, settings: Settings) -> str:
    """Returns the title for the tab: the page, then the brand."""
    return f"{route.title()} – {settings.brand_name}"


def head(
    route: Route, *, languages: Iterable[Locale], data: Iterable[dict[str, Any]], settings: Settings
) -> list[rx.Component]:
    """Returns the elements for <head>. `languages` are those with a full translation, `data` is JSON-LD."""
    spoken_locales = tuple(languages)
    address = _address(settings, current(), route)
    canonical = address if current() in spoken_locales else _address(settings, ENGLISH, route)
    return [
        rx.el.link(rel="canonical", href=canonical),
        *(_alternates(route, spoken_locales, settings) if current() in spoken_locales else []),
        *_cards(route, address, settings),
        *_feeds(route),
        *[rx.el.script(data_text(record), type="application/ld+json") for record in data],
    ]


def data_text(record: dict[str, Any]) -> str:
    """The record as JSON in which no text, such as a title with </script>, can end the element around it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _feeds(route: Route) -> list[rx.Component]:
    """The feeds of the page's language, named on the pages whose entries they hold."""
    if not any(route.path.startswith(kind.path) for kind in KINDS):
        return []
    return [rx.el.link(rel="alternate", type=kind, href=f"{current().prefix}/{name}") for name, kind in FEEDS.items()]


def card_image(route: Route, locale: Locale) -> str:
    """Returns the path of the page's picture for other sites."""
    return f"/cards/{route.tag}.{locale.id}.png"


def _address(settings: Settings, locale: Locale, route: Route) -> str:
    return settings.url + ((locale.prefix + route.path).rstrip("/") or "/")


def _alternates(route: Route, spoken_locales: tuple[Locale, ...], settings: Settings) -> list[rx.Component]:
    languages = [(locale.tag, locale) for locale in LOCALES if locale in spoken_locales]
    return [
        rx.el.link(rel="alternate", href_lang=tag, href=_address(settings, locale, route))
        for tag, locale in (*languages, ("x-default", ENGLISH))
    ]


def _cards(route: Route, address: str, settings: Settings) -> list[rx.Component]:
    properties = {
        "og:type": "website",
        "og:site_name": settings.brand_name,
        "og:title": route.title(),
        "og:description": route.description(),
        "og:url": address,
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:locale": current().open_graph,
    }
    names = {"twitter:card": "summary_large_image", "theme-color": colors.light()["background"]}
    return [
        *[rx.el.meta(property=name, content=value) for name, value in properties.items()],
        *[rx.el.meta(name=name, content=value) for name, value in names.items()],
        rx.el.link(rel="icon", href="/favicon.ico", sizes="32x32"),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/apple-touch-icon.png"),
    ]

"""The metadata in the head of a page: addresses, languages, cards for other sites, data for search engines as JSON-LD."""

import json
from collections.abc import Iterable
from typing import Any

import reflex as rx

from components.art.pictures import sized
from site_app.content.people import person
from site_app.content.publications import PUBLICATION_KINDS, Publication, all_publications
from site_app.content.routes import BY_PATH, FEEDS, Route
from site_app.content.services.offers import marketing_group, service_groups
from site_app.core import colors
from site_app.core.i18n import current, href, in_local_words, t, use
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings


def title(route: Route, settings: Settings) -> str:
    """Returns the title for the tab: the page, then the brand."""
    return f"{route.title()} – {settings.brand_name}"


def head(
    route: Route, *, languages: Iterable[Locale], data: Iterable[dict[str, Any]], settings: Settings
) -> list[rx.Component]:
    """Returns the elements for <head>. `languages` are those with a full translation, `data` is JSON-LD."""
    whole_languages = tuple(languages)
    url = _absolute_url(settings, current(), route)
    canonical = url if current() in whole_languages else _absolute_url(settings, ENGLISH, route)
    return [
        rx.el.link(rel="canonical", href=canonical),
        *(_alternates(route, whole_languages, settings) if current() in whole_languages else []),
        *_sharing_and_icons(route, url, settings),
        *_feeds(route),
        *[rx.el.script(data_text(record), type="application/ld+json") for record in data],
    ]


def data_text(record: dict[str, Any]) -> str:
    """Returns the record as JSON in which no text, such as a title with </script>, can end the element around it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _feeds(route: Route) -> list[rx.Component]:
    """Returns the links to the feeds of the page's language, on the pages of the kinds that they hold."""
    if not any(route.path.startswith(kind.path) for kind in PUBLICATION_KINDS):
        return []
    return [
        rx.el.link(rel="alternate", type=media_type, href=f"{current().prefix}/{name}") for name, media_type in FEEDS.items()
    ]


def card_image(route: Route, locale: Locale) -> str:
    """Returns the path of the page's picture for other sites."""
    return f"/cards/{route.tag}.{locale.id}.png"


def _absolute_url(settings: Settings, locale: Locale, route: Route) -> str:
    return settings.url + ((locale.prefix + route.path).rstrip("/") or "/")


def _alternates(route: Route, whole_languages: tuple[Locale, ...], settings: Settings) -> list[rx.Component]:
    languages = [(locale.tag, locale) for locale in LOCALES if locale in whole_languages]
    return [
        rx.el.link(rel="alternate", href_lang=tag, href=_absolute_url(settings, locale, route))
        for tag, locale in (*languages, ("x-default", ENGLISH))
    ]


def _sharing_and_icons(route: Route, url: str, settings: Settings) -> list[rx.Component]:
    properties = {
        "og:type": "website",
        "og:site_name": settings.brand_name,
        "og:title": route.title(),
        "og:description": route.description(),
        "og:url": url,
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


_CONTEXT = {"@context": "https://schema.org"}
_ABOUT_THE_AGENCY = ("/", "/company/about-us", "/contact-us")  # pages that describe it in full


def structured_data(route: Route, settings: Settings) -> list[dict[str, Any]]:
    """Returns the data in the current language."""
    data = [_organization(settings), _website(settings)] if route.path in _ABOUT_THE_AGENCY else []
    data += [_breadcrumbs(route, settings)] if route.path.count("/") > 1 else []  # “Home › FAQ” says no more than the address
    data += _services(route, settings)
    data += [_article(text, settings) for text in all_publications() if text.path == route.path]
    return data


def _organization(settings: Settings) -> dict[str, Any]:
    profiles = [settings.brand_instagram, settings.brand_facebook, settings.brand_linkedin, settings.brand_x]
    organization = _CONTEXT | {
        **_agency(settings),
        "legalName": settings.brand_legal_name,
        "url": f"{settings.url}/",
        "logo": f"{settings.url}/icons/icon-512.png",
        "email": settings.brand_email,
        "telephone": settings.brand_phone,
        "address": in_local_words(settings.brand_address),
    }
    same_as = [profile for profile in profiles if profile]
    return organization | {"sameAs": same_as} if same_as else organization


def _website(settings: Settings) -> dict[str, Any]:
    return _CONTEXT | {
        "@type": "WebSite",
        "@id": f"{settings.url}/#website",
        "name": settings.brand_name,
        "url": f"{settings.url}/",
        "inLanguage": [locale.tag for locale in LOCALES],
    }


def _agency(settings: Settings) -> dict[str, Any]:
    """Returns the agency's name and address, by which search engines find the whole record."""
    return {"@type": "Organization", "@id": f"{settings.url}/#organization", "name": settings.brand_name}


def _breadcrumbs(route: Route, settings: Settings) -> dict[str, Any]:
    names = {"services": t("Services"), "company": t("Company"), "legals": t("Legal")}
    segment = route.path.split("/")[1]
    trail = [(t("Home"), href("/"))]
    if segment in names and f"/{segment}" not in BY_PATH:
        trail.append((names[segment], href(f"/{segment}")))
    kind = next((kind for kind in PUBLICATION_KINDS if route.path.startswith(f"{kind.path}/")), None)
    if kind:
        trail.append((BY_PATH[kind.path].title(), href(kind.path)))
    trail.append((route.title(), href(route.path)))
    items = [
        {"@type": "ListItem", "position": place, "name": name, "item": settings.url + path}
        for place, (name, path) in enumerate(trail, start=1)
    ]
    return _CONTEXT | {"@type": "BreadcrumbList", "itemListElement": items}


def _services(route: Route, settings: Settings) -> list[dict[str, Any]]:
    offers = [offer for group in (*service_groups(), marketing_group()) for offer in group.offers]
    return [
        _CONTEXT
        | {
            "@type": "Service",
            "name": offer.name,
            "url": settings.url + offer.href,
            "inLanguage": current().tag,
            "provider": _agency(settings),
        }
        for offer in offers
        if offer.href.partition("#")[0] == href(route.path)
    ]


def _article(publication: Publication, settings: Settings) -> dict[str, Any]:
    text = publication.words()
    facts = publication.facts
    pictures = [sized(publication.picture)] if publication.picture else []
    with use(text.locale):  # the canonical page, where the text is not translated
        page = settings.url + href(publication.path)
    return _CONTEXT | {
        "@type": "Article",
        "headline": text.title,
        "description": text.summary,
        "datePublished": facts.date.isoformat(),
        "dateModified": publication.changed.isoformat(),
        "inLanguage": text.locale.tag,
        "mainEntityOfPage": page,
        "author": [
            {"@type": "Person", "name": author.name, "jobTitle": author.role, "url": settings.url + href("/company/about-us")}
            for slug in facts.authors
            if (author := person(slug))
        ],
        "publisher": _agency(settings),
        "image": [settings.url + picture.file_url("webp", picture.widths[-1]) for picture in pictures]
        or [f"{settings.url}/icons/icon-512.png"],
    }

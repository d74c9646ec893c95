"""Structured data of a page for search engines, as JSON-LD: the agency, breadcrumbs, the service. The FAQ marks its questions where they stand."""

from typing import Any

from components.art.pictures import sized
from site_app.content.engagement import engagement_models
from site_app.content.offers import marketing_group, service_groups
from site_app.content.people import person
from site_app.content.publications import KINDS, Publication, all_publications
from site_app.content.routes import BY_PATH, Route
from site_app.core.i18n import LOCALES, current, href, in_local_words, t
from site_app.core.settings import Settings

_CONTEXT = {"@context": "https://schema.org"}
_ABOUT_THE_AGENCY = ("/", "/company/about-us", "/contact-us")  # pages that describe it in full


def structured_data(route: Route, settings: Settings) -> list[dict[str, Any]]:
    """Returns the data in the current language."""
    data = [_organization(settings), _website(settings)] if route.path in _ABOUT_THE_AGENCY else []
    data += [] if route.path == "/" else [_breadcrumbs(route, settings)]
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
        "publisher": {"@id": _agency(settings)["@id"]},
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
    kind = next((kind for kind in KINDS if route.path.startswith(f"{kind.path}/")), None)
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
            "description": offer.line,
            "url": settings.url + offer.href,
            "inLanguage": current().tag,
            "provider": _agency(settings),
            "offers": [{"@type": "Offer", "name": model.name} for model in engagement_models()],
        }
        for offer in offers
        if offer.href.partition("#")[0] == href(route.path)
    ]


def _article(publication: Publication, settings: Settings) -> dict[str, Any]:
    text, facts = publication.text(), publication.facts
    pictures = [sized(publication.picture)] if publication.picture else []
    return _CONTEXT | {
        "@type": "Article",
        "headline": text.title,
        "description": text.summary,
        "datePublished": facts.date.isoformat(),
        "dateModified": publication.changed.isoformat(),
        "inLanguage": text.locale.tag,
        "mainEntityOfPage": settings.url + href(publication.path),
        "author": [
            {"@type": "Person", "name": author.name, "jobTitle": author.role, "url": settings.url + href("/company/about-us")}
            for slug in facts.authors
            if (author := person(slug))
        ],
        "publisher": _agency(settings),
        "image": [settings.url + picture.address("webp", picture.widths[-1]) for picture in pictures]
        or [f"{settings.url}/icons/icon-512.png"],
    }

"""Structured data of a page for search engines, as JSON-LD: breadcrumbs, the service, the questions."""

from typing import Any

from components.art.pictures import sized
from site_app.content.engagement import engagement_models
from site_app.content.faq import faq_words
from site_app.content.offers import marketing_group, service_groups
from site_app.content.people import person
from site_app.content.publications import KINDS, Publication, all_publications
from site_app.content.routes import BY_PATH, Route
from site_app.core.i18n import current, href, t
from site_app.core.settings import Settings

_CONTEXT = {"@context": "https://schema.org"}


def structured_data(route: Route, settings: Settings) -> list[dict[str, Any]]:
    """Returns the page's own data in the current language."""
    data = [] if route.path == "/" else [_breadcrumbs(route, settings)]
    data += _services(route, settings)
    if route.path == "/faq":
        data.append(_questions())
    data += [_article(text, settings) for text in all_publications() if text.path == route.path]
    return data


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
            "provider": {"@id": f"{settings.url}/#organization"},
            "offers": [{"@type": "Offer", "name": model.name, "description": model.billing} for model in engagement_models()],
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
        "publisher": {"@id": f"{settings.url}/#organization"},
        "image": [settings.url + picture.address("webp", picture.widths[-1]) for picture in pictures]
        or [f"{settings.url}/icons/icon-512.png"],
    }


def _questions() -> dict[str, Any]:
    questions = [question for category in faq_words().categories for question in category.questions]
    entities = [
        {"@type": "Question", "name": question.question, "acceptedAnswer": {"@type": "Answer", "text": question.plain()}}
        for question in questions
    ]
    return _CONTEXT | {"@type": "FAQPage", "inLanguage": current().tag, "mainEntity": entities}

"""Structured data of a page for search engines, as JSON-LD: breadcrumbs, the service, the questions."""

from typing import Any

from site_app.content.engagement import engagement_models
from site_app.content.faq import faq
from site_app.content.offers import marketing_group, service_groups
from site_app.core.i18n import current, href, t
from site_app.core.routes import BY_PATH, Route
from site_app.core.settings import Settings

_CONTEXT = {"@context": "https://schema.org"}


def structured_data(route: Route, settings: Settings) -> list[dict[str, Any]]:
    """Returns the page's own data in the current language."""
    data = [] if route.path == "/" else [_breadcrumbs(route, settings)]
    data += _services(route, settings)
    if route.path == "/faq":
        data.append(_questions())
    return data


def _breadcrumbs(route: Route, settings: Settings) -> dict[str, Any]:
    names = {"services": t("Services"), "company": t("Company"), "legals": t("Legal")}
    segment = route.path.split("/")[1]
    trail = [(t("Home"), href("/"))]
    if segment in names and f"/{segment}" not in BY_PATH:
        trail.append((names[segment], href(f"/{segment}")))
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


def _questions() -> dict[str, Any]:
    questions = [question for category in faq().categories for question in category.questions]
    entities = [
        {"@type": "Question", "name": one.question, "acceptedAnswer": {"@type": "Answer", "text": one.plain()}}
        for one in questions
    ]
    return _CONTEXT | {"@type": "FAQPage", "inLanguage": current().tag, "mainEntity": entities}

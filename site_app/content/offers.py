"""The services in short, for menus, the home page and the quote form."""

from components.records import Offer, OfferGroup
from site_app.core.i18n import href, t
from site_app.core.service_table import SERVICE_TABLE, OfferedService


def service_groups() -> tuple[OfferGroup, ...]:
    """Returns the two groups of the menu and the footer, with the five services that have their own pages."""
    return (
        _group(
            "it_services_and_branding",
            t("Software development"),
            t("Products people use every day, and the care that keeps them running."),
        ),
        _group(
            "advanced_technology",
            t("Advanced technology"),
            t("Newer technology, where the figures justify it."),
        ),
    )


def marketing_group() -> OfferGroup:
    """Returns digital marketing and brand creation, which share a page outside the two groups."""
    return _group(
        "digital_marketing",
        t("Marketing and brand"),
        t("Get found, understood and chosen, with marketing by the team that builds your product."),
    )


def offers() -> dict[str, Offer]:
    """Returns every service by slug, in the site's order."""
    groups = (*service_groups(), marketing_group())
    return {offer.slug: offer for group in groups for offer in group.offers}


def _group(slug: str, name: str, text: str) -> OfferGroup:
    return OfferGroup(slug, name, text, tuple(_offer(service) for service in SERVICE_TABLE if service.group == slug))


def _offer(service: OfferedService) -> Offer:
    return Offer(service.slug, service.name(), service.line(), href(service.path), service.icon)

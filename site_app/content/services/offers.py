"""What the agency offers: each service in short, for menus, the home page and the quote form; and the records of a service page."""

from dataclasses import dataclass

from components.records import Link, Offer, OfferGroup, Opening, Phase, Point, ResultSheet, Section, Step, TechnologyCategory
from site_app.content.engagement import EngagementModel
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
    return Offer(service.slug, service.name(), service.line(), href(service.path), service.icon, service.api_slug)


@dataclass(frozen=True)
class ModelFit:
    """The engagement model that suits a service best, and why."""

    model: EngagementModel
    heading: str
    text: str
    omitted_benefits: tuple[str, ...] = ()  # slugs of the model's benefits that mean nothing for this service


@dataclass(frozen=True)
class Service(Opening):
    """A service page; `artefact` is something that its clients get, `questions` are slugs of the FAQ.

    A page of two services has `jumps` to each half.
    """

    offer: Offer
    artefact: ResultSheet
    benefits: Section[Point]
    technologies: Section[TechnologyCategory]
    approach: Section[Step]
    timeline: Section[Phase]
    fit: ModelFit
    questions: tuple[str, ...]
    jumps: tuple[Link, ...] = ()

"""The services in brief, as menus, the home page and the quote form list them."""

from dataclasses import dataclass

from site_app.i18n import href, t

_BRANDING = "/services/it-services-and-branding"
_ADVANCED = "/services/advanced-technology"


@dataclass(frozen=True)
class Offer:
    """A service in one line, with its address."""

    slug: str
    name: str
    line: str
    href: str
    icon: str


@dataclass(frozen=True)
class ServiceGroup:
    slug: str
    name: str
    text: str
    offers: tuple[Offer, ...]


def service_groups() -> tuple[ServiceGroup, ...]:
    """The two groups of the menu and the footer: the five services with a page of their own in them."""
    return (
        ServiceGroup(
            "it_services_and_branding",
            t("IT services and branding"),
            t("Products people use every day, and the care that keeps them running."),
            (_web_development(), _mobile_development(), _software_maintenance()),
        ),
        ServiceGroup(
            "advanced_technology",
            t("Advanced technology"),
            t("Newer tools, used where they earn their keep and left out where they do not."),
            (_blockchain_development(), _ai_and_deep_learning()),
        ),
    )


def marketing_group() -> ServiceGroup:
    """Digital marketing and brand creation, which share a page outside the two groups."""
    return ServiceGroup(
        "digital_marketing",
        t("Marketing and brand"),
        t("Being found, understood and chosen, by the people who build the product."),
        (_digital_marketing(), _brand_creation()),
    )


def offers() -> dict[str, Offer]:
    """All seven services by slug, in the order the site lists them."""
    groups = (*service_groups(), marketing_group())
    return {offer.slug: offer for group in groups for offer in group.offers}


def _web_development() -> Offer:
    return Offer(
        "web_development",
        t("Web development"),
        t("Web applications, shops and portals that load fast on a mid-range phone and that your own team can maintain."),
        href(f"{_BRANDING}/web-development"),
        "application-outline",
    )


def _mobile_development() -> Offer:
    return Offer(
        "mobile_development",
        t("Mobile development"),
        t("iOS and Android apps that work offline, pass store review and share what they can."),
        href(f"{_BRANDING}/mobile-development"),
        "cellphone",
    )


def _software_maintenance() -> Offer:
    return Offer(
        "software_maintenance",
        t("Software maintenance and enhancement"),
        t("We take over software that already runs, make it safe to change, and keep improving it."),
        href(f"{_BRANDING}/software-maintenance"),
        "wrench-outline",
    )


def _blockchain_development() -> Offer:
    return Offer(
        "blockchain_development",
        t("Blockchain development"),
        t("Smart contracts and ledgers, tested against attack and reviewed by outsiders before launch."),
        href(f"{_ADVANCED}/blockchain-development"),
        "link-variant",
    )


def _ai_and_deep_learning() -> Offer:
    return Offer(
        "ai_and_deep_learning",
        t("AI and deep learning"),
        t("Language, vision and forecasting models, measured on your own data before they go live."),
        href(f"{_ADVANCED}/ai-and-deep-learning"),
        "brain",
    )


def _digital_marketing() -> Offer:
    return Offer(
        "digital_marketing",
        t("Digital marketing"),
        t("Search, content and campaigns, reported as cost per enquiry rather than clicks."),
        href("/services/digital-marketing"),
        "chart-line",
    )


def _brand_creation() -> Offer:
    return Offer(
        "brand_creation",
        t("Brand creation"),
        t("A name, a voice and a visual system, delivered as files and rules your team can use."),
        href("/services/digital-marketing#brand-creation"),
        "palette-outline",
    )

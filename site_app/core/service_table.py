"""The services that the agency offers, one row each; menus, pages, the quote form, the API and the mails read this table."""

from collections.abc import Callable
from dataclasses import dataclass

from site_app.core.business import WEB_APP_MONTHS
from site_app.core.i18n import t


@dataclass(frozen=True, kw_only=True)
class OfferedService:
    """A service. Its texts are functions, because they depend on the current language."""

    slug: str  # the identity: content, drawings and stored leads refer to it
    group: str  # the menu group: a slug of site_app/content/services/offers.py
    path: str
    icon: str  # a Material Design icon, by its name in components/art/mdi.json
    name: Callable[[], str]
    line: Callable[[], str]  # a short description for lists
    title: Callable[[], str] | None = None  # of its page, for the browser's tab; None if it has no page of its own
    description: Callable[[], str] | None = None  # of its page, for search engines

    @property
    def api_slug(self) -> str:
        """Its name in the API and in analytics."""
        return self.slug.replace("_", "-")


SERVICE_TABLE = (
    OfferedService(
        slug="web_development",
        group="it_services_and_branding",
        path="/services/it-services-and-branding/web-development",
        icon="application-outline",
        name=lambda: t("Web development"),
        line=lambda: t(
            "Web applications, online shops and portals that load fast on a mid-range phone and that your own team can maintain."
        ),
        title=lambda: t("Web application development"),
        description=lambda: t(
            "Web application development by one team: fast, accessible, tested, and yours to keep. A focused first version in {least} to {most} months.",
            least=WEB_APP_MONTHS[0],
            most=WEB_APP_MONTHS[1],
        ),
    ),
    OfferedService(
        slug="mobile_development",
        group="it_services_and_branding",
        path="/services/it-services-and-branding/mobile-development",
        icon="cellphone",
        name=lambda: t("Mobile development"),
        line=lambda: t(
            "iOS and Android apps that work offline, meet the app stores’ rules and share code where that saves you money."
        ),
        title=lambda: t("iOS & Android app development"),
        description=lambda: t(
            "iOS and Android app development: native feel, offline use, prepared for store review. Built with Swift, Kotlin, Flutter or React Native."
        ),
    ),
    OfferedService(
        slug="software_maintenance",
        group="it_services_and_branding",
        path="/services/it-services-and-branding/software-maintenance",
        icon="wrench-outline",
        name=lambda: t("Software maintenance and enhancement"),
        line=lambda: t("We take over software that is already in use, make it safe to change, and keep improving it."),
        title=lambda: t("Legacy software takeover & maintenance"),
        description=lambda: t(
            "Legacy software takeover and maintenance: we make it safe to change, then keep improving it with updates, monitoring, fixes and new features."
        ),
    ),
    OfferedService(
        slug="blockchain_development",
        group="advanced_technology",
        path="/services/advanced-technology/blockchain-development",
        icon="link-variant",
        name=lambda: t("Blockchain development"),
        line=lambda: t(
            "Smart contracts and ledgers, tested against attack before launch, with an independent audit of every smart contract."
        ),
        title=lambda: t("Smart contract & blockchain development"),
        description=lambda: t(
            "Smart contract, wallet and ledger development, only where a blockchain pays off. Smart contracts are independently audited before launch."
        ),
    ),
    OfferedService(
        slug="ai_and_deep_learning",
        group="advanced_technology",
        path="/services/advanced-technology/ai-and-deep-learning",
        icon="brain",
        name=lambda: t("AI and deep learning"),
        line=lambda: t("Language, vision and forecasting models, measured on your own data before they go live."),
        title=lambda: t("AI development on your own data"),
        description=lambda: t(
            "AI development: language models, computer vision and forecasting in your product, measured on your own data before they go live."
        ),
    ),
    OfferedService(
        slug="digital_marketing",
        group="digital_marketing",
        path="/services/digital-marketing",
        icon="chart-line",
        name=lambda: t("Digital marketing"),
        line=lambda: t("Search, content and campaigns, reported as cost per enquiry, not clicks."),
        title=lambda: t("Digital marketing and brand creation"),
        description=lambda: t(
            "Search, content and campaigns, reported every month in figures you can check, and brand identity, by the team that builds your product."
        ),
    ),
    OfferedService(
        slug="brand_creation",
        group="digital_marketing",
        path="/services/digital-marketing#brand-creation",
        icon="palette-outline",
        name=lambda: t("Brand creation"),
        line=lambda: t("A name, a voice and a visual system, delivered as files and rules your team can use."),
    ),
)

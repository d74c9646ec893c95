"""Every page's path, analytics tag and words for the browser's tab and search engines; and the redirects."""

from collections.abc import Callable
from dataclasses import dataclass

from site_app.i18n import t


@dataclass(frozen=True)
class Route:
    """A page's address; `title` and `description` speak the language being written."""

    path: str
    tag: str
    title: Callable[[], str]
    description: Callable[[], str]


NOT_FOUND = "#page-not-found"  # the home page tells the visitor when its address ends so
PLAIN_BOOKING = "/book"  # served by the API: the call booked without JavaScript

ROUTES = (
    Route(
        "/",
        "home",
        lambda: t("Software that ships, from one careful team"),
        lambda: t(
            "Web, mobile, blockchain, AI and marketing by one senior team. Fixed price, monthly or hybrid, with a free 30-minute call."
        ),
    ),
    Route(
        "/services/it-services-and-branding/web-development",
        "web-development",
        lambda: t("Web development"),
        lambda: t(
            "Web applications designed, built and run by one team: fast, accessible, tested, and yours to keep. First release in 2 to 3 months."
        ),
    ),
    Route(
        "/services/it-services-and-branding/mobile-development",
        "mobile-development",
        lambda: t("Mobile development"),
        lambda: t(
            "iOS and Android apps that feel native, work offline and pass review, built with Swift, Kotlin, Flutter or React Native."
        ),
    ),
    Route(
        "/services/it-services-and-branding/software-maintenance",
        "software-maintenance",
        lambda: t("Software maintenance and enhancement"),
        lambda: t(
            "We take over running software, make it safe to change, and keep improving it: updates, monitoring, fixes and new features."
        ),
    ),
    Route(
        "/services/advanced-technology/blockchain-development",
        "blockchain-development",
        lambda: t("Blockchain development"),
        lambda: t(
            "Smart contracts, wallets and ledgers where they earn their keep, audited before launch and explained in plain words."
        ),
    ),
    Route(
        "/services/advanced-technology/ai-and-deep-learning",
        "ai-and-deep-learning",
        lambda: t("AI and deep learning"),
        lambda: t(
            "Language models, vision and forecasting built into your product, measured against your own data before they go live."
        ),
    ),
    Route(
        "/services/digital-marketing",
        "digital-marketing",
        lambda: t("Digital marketing and brand creation"),
        lambda: t(
            "Search, content, campaigns and brand identity by the people who build your product, reported in figures you can check."
        ),
    ),
    Route(
        "/company/about-us",
        "about-us",
        lambda: t("About us"),
        lambda: t(
            "Who we are, what we value, how a project goes from the first call to progress updates, and why clients stay."
        ),
    ),
    Route(
        "/company/affiliate-program",
        "affiliate-program",
        lambda: t("Affiliate program"),
        lambda: t(
            "Recommend us and earn a 20% recurring commission on every referral that becomes a paying customer. No cap, no minimum."
        ),
    ),
    Route(
        "/faq",
        "faq",
        lambda: t("Frequently asked questions"),
        lambda: t("Straight answers on prices, timelines, engagement models, ownership, privacy and how we work together."),
    ),
    Route(
        "/contact-us",
        "contact-us",
        lambda: t("Contact us"),
        lambda: t("Write, call or book a free 30-minute call. We read messages 24/7 and reply within one working day."),
    ),
    Route(
        "/legals/terms-of-service",
        "terms-of-service",
        lambda: t("Terms of service"),
        lambda: t("The terms under which this website and our services are offered."),
    ),
    Route(
        "/legals/privacy-policy",
        "privacy-policy",
        lambda: t("Privacy policy"),
        lambda: t("What we store when you write to us or book a call, why, for how long, and how to have it erased."),
    ),
    Route(
        "/legals/legal-notice",
        "legal-notice",
        lambda: t("Legal notice"),
        lambda: t("Who publishes this website, where the company is registered, and how to reach it."),
    ),
    Route(
        "/legals/cookies-policy",
        "cookies-policy",
        lambda: t("Cookies policy"),
        lambda: t("The one cookie this site uses, and everything else it keeps in your browser."),
    ),
    Route(
        "/legals/affiliate-program-terms-conditions",
        "affiliate-program-terms-conditions",
        lambda: t("Affiliate program terms and conditions"),
        lambda: t("The agreement between us and our affiliates: commission, payouts, eligibility, termination and liability."),
    ),
)
BY_PATH = {route.path: route for route in ROUTES}

REDIRECTS = {
    "/services": "/services/it-services-and-branding/web-development",
    "/legals": "/legals/terms-of-service",
    "/company": "/company/about-us",
}

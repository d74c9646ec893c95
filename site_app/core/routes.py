"""Every page's path, analytics tag, title and description for search engines; and the redirects."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from site_app.core.business import commission_percent, consultation_minutes
from site_app.core.i18n import t
from site_app.core.offered import OFFERED


@dataclass(frozen=True)
class Route:
    """A page's address. `title` and `description` return text in the current language. `boot` says when React starts, if set."""

    path: str
    tag: str
    title: Callable[[], str]
    description: Callable[[], str]
    boot: Literal["", "intent", "load"] = ""


NOT_FOUND = "#page-not-found"  # with this anchor the home page says that the page was not found
SCOPE, REPORT = "/company/sample-scope", "/company/sample-report"  # samples of documents that clients get
PLAIN_BOOKING = "/book"  # booking without JavaScript: see plain_booking.py

ROUTES = (
    Route(
        "/",
        "home",
        lambda: t("Software development agency in London: web, mobile, AI"),
        lambda: t(
            "London software agency for web, mobile, blockchain and AI development and marketing. Fixed price, monthly or hybrid, with a free {minutes}-minute call.",
            minutes=consultation_minutes(),
        ),
    ),
    *(Route(one.path, one.api_slug, one.title, one.description) for one in OFFERED if one.title and one.description),
    Route(
        "/company/about-us",
        "about-us",
        lambda: t("About us"),
        lambda: t(
            "Who we are, what we value, how a project runs from the first call to progress updates, and why clients work with us."
        ),
    ),
    Route(
        "/company/affiliate-program",
        "affiliate-program",
        lambda: t("Affiliate program: {percent}% recurring commission", percent=commission_percent()),
        lambda: t(
            "Recommend us and earn a {percent}% recurring commission on every eligible referral that becomes a paying customer. No annual cap, no minimum sales.",
            percent=commission_percent(),
        ),
        boot="intent",  # the form's on_mount would start React at once, but its loads can wait until the form is used
    ),
    Route(
        SCOPE,
        "sample-scope",
        lambda: t("Sample project scope: four pages with a fixed price"),
        lambda: t(
            "What a software project scope from us looks like: the goal, what will be built, the dates and the price, the risks. Four pages, in full."
        ),
    ),
    Route(
        REPORT,
        "sample-report",
        lambda: t("Sample weekly project report"),
        lambda: t(
            "The one-page report our clients get every week: what is done, what is next, what is at risk and what we need from them."
        ),
    ),
    Route(
        "/faq",
        "faq",
        lambda: t("Frequently asked questions"),
        lambda: t("Straight answers on price, time, engagement models, ownership, privacy and how we work together."),
    ),
    Route(
        "/contact-us",
        "contact-us",
        lambda: t("Contact us"),
        lambda: t(
            "Send a message or book a free {minutes}-minute call at any hour, or phone us in working hours. We reply to messages within one working day.",
            minutes=consultation_minutes(),
        ),
    ),
    Route(
        "/legals/terms-of-service",
        "terms-of-service",
        lambda: t("Terms of service"),
        lambda: t("The terms that apply to this website and to our services."),
    ),
    Route(
        "/legals/privacy-policy",
        "privacy-policy",
        lambda: t("Privacy policy"),
        lambda: t("What we store when you contact us or book a call, why, for how long, and how to have it deleted."),
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

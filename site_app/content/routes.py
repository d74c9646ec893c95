"""Every page's path, analytics tag, title and description for search engines; and the redirects."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from site_app.content.publications import (
    ListPage,
    Publication,
    PublicationMistake,
    all_listings,
    all_publications,
    listing_description,
    listing_title,
)
from site_app.core.business import commission_percent, consultation_minutes
from site_app.core.i18n import t
from site_app.core.locales import LOCALES, Locale
from site_app.core.service_table import SERVICE_TABLE
from site_app.plugins.static_first import NOT_BUILT


@dataclass(frozen=True)
class Route:
    """A page's path and properties. `title` and `description` return text in the current language. `boot` says when React starts, if set."""

    path: str
    tag: str
    title: Callable[[], str]
    description: Callable[[], str]
    boot: Literal["", "intent", "load"] = ""
    languages: tuple[Locale, ...] = LOCALES  # in which it can be whole
    changed: date | None = None  # the day of its last change, where it has one


NOT_FOUND = "#page-not-found"  # with this anchor the home page says that the page was not found
FEEDS = {"feed.atom": "application/atom+xml", "feed.json": "application/feed+json"}  # files of each language, with their types
SCOPE = "/company/sample-scope"  # samples of documents that clients get
REPORT = "/company/sample-report"


def publication_route(publication: Publication) -> Route:
    return Route(
        publication.path,
        f"{publication.kind.name}-{publication.slug}",
        lambda: publication.words().title,
        lambda: publication.words().summary,
        languages=tuple(locale for locale in LOCALES if publication.is_in(locale)),
        changed=publication.changed,
    )


def _listing_route(listing: ListPage) -> Route:
    days = [entry.changed for entry in listing.entries]
    return Route(
        listing.path,
        listing.path.strip("/").replace("/", "-"),
        lambda: listing_title(listing),
        lambda: listing_description(listing),
        changed=max(days, default=None),
    )


def _publication_routes() -> tuple[Route, ...]:
    try:
        return (*map(_listing_route, all_listings()), *map(publication_route, all_publications()))
    except PublicationMistake as mistake:  # told as a sentence, where an import would show a traceback
        sys.exit(f"{NOT_BUILT}\n{mistake}")


OWN_ROUTES = (
    Route(
        "/",
        "home",
        lambda: t("Software agency in London: web, mobile, AI"),
        lambda: t(
            "London software agency for web, mobile, blockchain and AI development and marketing. Fixed price, monthly or hybrid, with a free {minutes}-minute call.",
            minutes=consultation_minutes(),
        ),
    ),
    *(
        Route(offer.path, offer.api_slug, offer.title, offer.description)
        for offer in SERVICE_TABLE
        if offer.title and offer.description
    ),
    Route(
        "/company/about-us",
        "about-us",
        lambda: t("About us"),
        lambda: t(
            "Who we are, what we value, how a project runs from the first call to the weekly reports, and how we protect those who hire us."
        ),
    ),
    Route(
        "/company/affiliate-program",
        "affiliate-program",
        lambda: t("Affiliate programme: {percent}% commission", percent=commission_percent()),
        lambda: t(
            "Recommend us and earn a {percent}% recurring commission on every eligible referral that becomes a paying customer. No annual cap, no minimum sales.",
            percent=commission_percent(),
        ),
        boot="intent",  # the form's on_mount would start React at once, but its loads can wait until the form is used
    ),
    Route(
        "/company/prices",
        "prices",
        lambda: t("Software prices: what three budgets buy"),
        lambda: t(
            "What three budgets buy in custom software, what is left out of each, what costs more than people expect, and a priced first step."
        ),
    ),
    Route(
        "/company/security-and-data",
        "security-and-data",
        lambda: t("Security and your data"),
        lambda: t(
            "How we protect your code, accounts and customers’ data: who has access, where data is, how we use AI tools, and what happens after an incident."
        ),
    ),
    Route(
        SCOPE,
        "sample-scope",
        lambda: t("Sample project scope: four pages, one price"),
        lambda: t(
            "What a software project scope from us looks like: the goal, what will be built, the dates and the price, the risks. Four pages, in full."
        ),
    ),
    Route(
        REPORT,
        "sample-report",
        lambda: t("Sample weekly project report"),
        lambda: t(
            "The one-page report that comes every week of a project: what is done, what is next, what is at risk and what we need from the client."
        ),
    ),
    Route(
        "/faq",
        "faq",
        lambda: t("Frequently asked questions"),
        lambda: t(
            "Straight answers on price, time, engagement models, ownership of the code, privacy, AI tools, lateness, and how we work together."
        ),
    ),
    Route(
        "/contact-us",
        "contact-us",
        lambda: t("Contact us"),
        lambda: t(
            "Send a message or book a free {minutes}-minute call whenever you like, or phone us in working hours. We reply to messages within one working day.",
            minutes=consultation_minutes(),
        ),
    ),
    Route(
        "/legals/terms-of-service",
        "terms-of-service",
        lambda: t("Terms of service"),
        lambda: t(
            "The terms of this website and our services: quotes, contracts, acceptance and payment, ownership, warranty, liability and ending a contract."
        ),
    ),
    Route(
        "/legals/privacy-policy",
        "privacy-policy",
        lambda: t("Privacy policy"),
        lambda: t(
            "What we store when you contact us or book a call, why, for how long, who sees it, and how to have it deleted or complain about it."
        ),
    ),
    Route(
        "/legals/legal-notice",
        "legal-notice",
        lambda: t("Legal notice"),
        lambda: t(
            "Company information: who runs this website, where the company is registered and insured, who its director is, and how to reach it."
        ),
    ),
    Route(
        "/legals/cookies-policy",
        "cookies-policy",
        lambda: t("Cookies policy"),
        lambda: t(
            "The one cookie this website uses, everything else that it keeps in your browser, why no consent is needed, and how to delete it."
        ),
    ),
    Route(
        "/legals/affiliate-program-terms-conditions",
        "affiliate-program-terms-conditions",
        lambda: t("Affiliate programme terms and conditions"),
        lambda: t(
            "The agreement between us and our affiliates: commission, payouts, which referrals count, eligibility, termination and liability."
        ),
    ),
)
ROUTES = (*OWN_ROUTES, *_publication_routes())
BY_PATH = {route.path: route for route in ROUTES}

REDIRECTS = {
    "/services": "/services/it-services-and-branding/web-development",
    "/legals": "/legals/terms-of-service",
    "/company": "/company/about-us",
}

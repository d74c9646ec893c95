"""The texts around every page: the navigation bar, the footer, and messages.

Messages are those of the snackbar, of a page that does not load, of a failed handler, and the two that the reader scripts show.
"""

from typing import Any

from components.records import Footer, LinkGroup, Navigation
from site_app.content.contact_us import contact_details, social_links
from site_app.content.publications import ARTICLES, CASES
from site_app.content.records import PageLink, book_call, get_quote
from site_app.content.routes import REPORT, SCOPE
from site_app.content.services.offers import marketing_group, service_groups
from site_app.core.i18n import labelled, t, use
from site_app.core.i18n.names import part_of_the_kingdom
from site_app.core.locales import LOCALES, Locale
from site_app.core.settings import samples, settings


def demonstration() -> str:
    """Returns the notice of a public demonstration for every page; "" if nothing is a sample or samples are not allowed."""
    if not settings().allow_samples or not samples(settings()):
        return ""
    return t("This is a demonstration: the company, its people, phone numbers and addresses are fictional.")


def navigation_words() -> Navigation:
    return Navigation(
        label=t("Main"),
        skip=t("Skip to content"),
        home=PageLink(settings().brand_name, "/"),
        services=t("Services"),
        groups=(*service_groups(), marketing_group()),
        company=t("Company"),
        company_links=(
            PageLink(t("About us"), "/company/about-us"),
            PageLink(t("Case studies"), CASES.path),
            PageLink(t("Articles"), ARTICLES.path),
            PageLink(t("Prices"), "/company/prices"),
            PageLink(t("Security and data"), "/company/security-and-data"),
            PageLink(t("Affiliate programme"), "/company/affiliate-program"),
            PageLink(t("Sample scope"), SCOPE),
            PageLink(t("Sample weekly report"), REPORT),
        ),
        links=(PageLink(t("FAQ"), "/faq"), PageLink(t("Contact us"), "/contact-us")),
        actions=(get_quote(), book_call()),
        open_menu=t("Open menu"),
        close_menu=t("Close menu"),
        language=t("Language"),
        light_theme=t("Use the light theme"),
        dark_theme=t("Use the dark theme"),
    )


def footer_words() -> Footer:
    agency = settings()
    services = tuple(PageLink(offer.name, offer.href) for group in service_groups() for offer in group.offers)
    return Footer(
        headline=t("Software that ships, from one careful team"),
        groups=(
            LinkGroup(
                "company",
                t("Company"),
                (
                    PageLink(t("About us"), "/company/about-us"),
                    PageLink(t("Affiliate programme"), "/company/affiliate-program"),
                ),
            ),
            LinkGroup("services", t("Services"), services),
            LinkGroup("support", t("Support"), (PageLink(t("Contact us"), "/contact-us"), PageLink(t("FAQ"), "/faq"))),
        ),
        contact_title=t("Contact"),
        details=contact_details(),
        social_title=t("Follow us"),
        social=social_links(),
        policies_title=t("Policies"),
        policies=policies(),
        small_print=t(
            "© {name}. Registered in {place}.",
            name=agency.brand_legal_name,
            place=part_of_the_kingdom(agency.brand_registered_in),
        ),
    )


def policies() -> tuple[PageLink, ...]:
    return (
        PageLink(t("Terms of service"), "/legals/terms-of-service"),
        PageLink(t("Privacy policy"), "/legals/privacy-policy"),
        PageLink(t("Cookies policy"), "/legals/cookies-policy"),
        PageLink(t("Legal notice"), "/legals/legal-notice"),
    )


def messages() -> dict[str, dict[str, Any]]:
    """Returns, by language, the labels and buttons of messages, and the three messages that the browser words itself."""
    return {locale.id: _messages(locale) for locale in LOCALES}


def _messages(locale: Locale) -> dict[str, Any]:
    with use(locale):
        return snackbar_words() | {"notFound": not_found(), "failed": failed(), "offer": _offer(locale)}


def snackbar_words() -> dict[str, str]:
    return {
        "success": labelled(t("Done")),
        "error": labelled(t("Error")),
        "warning": labelled(t("Please note")),
        "info": labelled(t("Note")),
        "again": t("Try again"),
        "dismiss": t("Dismiss"),
    }


def page_words() -> dict[str, str]:
    return {"failed": t("This page could not be loaded. Check your connection, then try again."), "again": t("Try again")}


def not_found() -> str:
    return t("We couldn’t find the page you asked for, so here is our home page.")


def failed() -> str:
    """Returns the message after a handler of a state has failed."""
    return t(
        "Something went wrong on our side. Nothing you typed is lost: please try again, or email {email}.",
        email=settings().brand_email,
    )


def _offer(locale: Locale) -> dict[str, str]:
    """Returns the offer to read the page in a language, in that language."""
    return {
        "tag": locale.tag,
        "text": t("This page is also available in {language}.", language=locale.title),
        "accept": t("Read it in {language}", language=locale.title),
        "dismiss": t("No, thanks"),
    }

"""The five legal pages: legally binding English Markdown, with figures and brand filled in; and their summaries in every language."""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path

from site_app.content.legal_values import INVENTORY, legal_values, months_at_most
from site_app.content.prices import pounds
from site_app.content.routes import BY_PATH
from site_app.core import business
from site_app.core.i18n import in_local_words, t, tn
from site_app.core.i18n.markdown import BrokenText, Document, escaped, read
from site_app.core.i18n.names import part_of_the_kingdom
from site_app.core.settings import settings

TEXTS = Path(__file__).parents[2] / "locales" / "en" / "legals"
LEGAL_PAGES = {
    f"/legals/{name}": f"{name}.md"
    for name in (
        "terms-of-service",
        "privacy-policy",
        "legal-notice",
        "cookies-policy",
        "affiliate-program-terms-conditions",
    )
}
_KINDS = {"cookie": "Cookie", "localStorage": "Local storage", "sessionStorage": "Session storage"}


def legal_page(path: str) -> Document:
    """Returns the text of a legal page, always in English, because only the English text is binding."""
    return legal_pages()[path]


@cache
def legal_pages() -> Mapping[str, Document]:
    """Returns all five by path; raises BrokenText if one contains a dead link."""
    values, pages = legal_values(), {}
    for path, file in LEGAL_PAGES.items():
        try:
            text = (TEXTS / file).read_text(encoding="utf-8").replace("{storage_inventory}", _inventory())
            pages[path] = read(text, values=values, paths=BY_PATH)
        except BrokenText as problem:
            raise BrokenText(f"{file}: {problem}") from None
    for path, page in pages.items():
        _check_links_between(path, page.links(), pages)
    return pages


def _check_links_between(source: str, links: Collection[str], pages: Mapping[str, Document]) -> None:
    for href in links:
        path, _, anchor = href.partition("#")
        if anchor and path in pages and anchor not in pages[path].anchors():
            raise BrokenText(f"{source}: the link {href} names a heading that is not there")


def _inventory() -> str:
    """Returns the inventory of browser storage as a Markdown table."""
    items = ((item.name, _KINDS[item.kind], item.purpose, item.lifetime) for item in INVENTORY)
    rows = (("Name", "Kind", "What it is for", "How long it stays"), *items)
    head, *body = (f"| {' | '.join(map(escaped, row))} |" for row in rows)
    return "\n".join((head, "|---|---|---|---|", *body))


Lines = tuple[str, ...]


def summary_of(path: str) -> Lines:
    """Returns the five summary lines of the legal page at that path, in the current language."""
    return _SUMMARIES[path]()


def _terms_of_service() -> Lines:
    return (
        t("These terms apply to this website and, together with the contract you sign with us, to our services."),
        t(
            "The {minutes}-minute call and the quote are free. A contract exists only once both sides have confirmed it.",
            minutes=business.consultation_minutes(),
        ),
        t(
            "Monthly work can be ended with {notice} days’ written notice. A milestone is invoiced once you accept it or put it to use, or {acceptance} working days after delivery if you report no defect; invoices are due after {invoice} days.",
            notice=business.MONTHLY_NOTICE_DAYS,
            acceptance=business.ACCEPTANCE_DAYS,
            invoice=business.INVOICE_DAYS,
        ),
        t(
            "What you have paid for is yours. In fixed-price work we fix defects free of charge for {days} days after launch.",
            days=business.WARRANTY_DAYS,
        ),
        t(
            "Our liability is limited to one year’s fees under the contract, unless the contract names another sum. The law of England and Wales applies, and its courts decide."
        ),
    )


def _privacy_policy() -> Lines:
    return (
        t("If you only read this website, we store nothing that identifies you."),
        t(
            "If you contact us, we keep what you send us so that we can reply, for {months} months at most.",
            months=months_at_most(settings().keep_leads),
        ),
        t("There is one cookie, set only when you choose a language. Nothing is loaded from other companies."),
        t(
            "We don’t sell your data, show advertising or build profiles. Data from this website is stored in the UK or the EEA."
        ),
        t(
            "You can ask to see, copy, correct, delete or move your data, restrict or object to its use, and withdraw consent: email {email}. In Thailand these are your rights under the PDPA, in mainland China under the PIPL. You may also complain to the authority of your country.",
            email=settings().brand_email,
        ),
    )


def _cookies_policy() -> Lines:
    return (
        t("One cookie remembers the language you chose, until you close the browser."),
        t("Your theme, your unfinished messages and your place on a page are kept in your own browser."),
        t("There are no cookies for advertising or tracking, and none from other companies."),
        t("A note of how you found us stays in this tab and reaches us only with a form you send."),
        t("Everything else that is stored serves something you asked for, so there is no cookie banner."),
        t("You can delete all of it in your browser’s settings. The pages can still be read and messages can still be sent."),
    )


def _legal_notice() -> Lines:
    agency = settings()
    return (
        t(
            "This website is published by {name}, a company registered in {place}.",
            name=agency.brand_legal_name,
            place=part_of_the_kingdom(agency.brand_registered_in),
        ),
        t("Its registered office is {address}.", address=in_local_words(agency.brand_address)),
        t(
            "You can reach us at {email}, on {phone} or with the contact form. We reply within one working day.",
            email=agency.brand_email,
            phone=agency.brand_phone,
        ),
        t("Everything marked as a sample is fictional, and the commission example is not a forecast."),
        t("If something on this website stops you from using it, or looks unsafe, email us and we will fix it."),
    )


def _affiliate_terms() -> Lines:
    return (
        t(
            "You earn {percent}% of the net payments of each customer you refer; under a multi-year contract, only in {years}.",
            percent=business.commission_percent(),
            years=tn("the first year", "the first {count} years", business.COMMISSION_YEARS),
        ),
        t(
            "A referral counts if it becomes a customer within {months} months of first contacting us through your link and was not in talks with us in the {days} days before that.",
            months=business.CONVERSION_MONTHS,
            days=business.PRIOR_OPPORTUNITY_DAYS,
        ),
        t(
            "Commission is paid by PayPal within {days} days of the customer’s payment; the first payout is made once {threshold} has accrued.",
            days=business.PAYOUT_DAYS,
            threshold=pounds(business.PAYOUT_THRESHOLD_POUNDS),
        ),
        t(
            "Commission is due only on money we have received: if a payment is {days} days overdue, or we pay it back, you refund any commission already paid on it.",
            days=business.UNPAID_DAYS,
        ),
        t(
            "Either side can end the agreement with {days} days’ notice. Liability is limited to the commission paid in the previous {months} months.",
            days=business.TERMINATION_NOTICE_DAYS,
            months=business.LIABILITY_MONTHS,
        ),
    )


_SUMMARIES: dict[str, Callable[[], Lines]] = {
    "/legals/terms-of-service": _terms_of_service,
    "/legals/privacy-policy": _privacy_policy,
    "/legals/cookies-policy": _cookies_policy,
    "/legals/legal-notice": _legal_notice,
    "/legals/affiliate-program-terms-conditions": _affiliate_terms,
}

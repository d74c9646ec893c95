"""The five legal pages: legally binding English Markdown, with figures and brand filled in; and their summaries in every language.

Also the page on security and data: how a client's code, data and accounts are kept.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache

from components.records import Figure, Invitation
from site_app.content.legal_values import INVENTORY, legal_values, months_at_most
from site_app.content.prices import pounds
from site_app.content.records import Part, TextPage, book_call, write_to_us
from site_app.content.routes import BY_PATH
from site_app.core import ROOT, business
from site_app.core.i18n import in_local_words, t, tn
from site_app.core.i18n.markdown import BrokenText, Document, escaped, parse_document
from site_app.core.i18n.names import part_of_the_kingdom
from site_app.core.settings import settings

TEXTS = ROOT / "locales" / "en" / "legals"
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
    values = legal_values()
    pages: dict[str, Document] = {}
    for path, file in LEGAL_PAGES.items():
        try:
            text = (TEXTS / file).read_text(encoding="utf-8").replace("{storage_inventory}", _inventory())
            pages[path] = parse_document(text, values=values, paths=BY_PATH)
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
    items = ((item.name.replace("_", "_\u200b"), _KINDS[item.kind], item.purpose, item.lifetime) for item in INVENTORY)
    rows = (("Name", "Kind", "What it is for", "How long it stays"), *items)
    head, *body = (f"| {' | '.join(map(escaped, row))} |" for row in rows)
    return "\n".join((head, "|---|---|---|---|", *body))


Lines = tuple[str, ...]


def summary_of(path: str) -> Lines:
    """Returns the summary lines of the legal page at that path, in the current language."""
    return _SUMMARIES[path]()


def _terms_of_service() -> Lines:
    return (
        t("These terms apply to this website and, together with the contract you sign with us, to our services."),
        t(
            "The {minutes}-minute call and the quote are free. A contract exists only once both sides have signed it or confirmed it in writing.",
            minutes=business.consultation_minutes(),
        ),
        t(
            "Monthly work can be ended with {notice} days’ written notice, unless the contract names another period; a fixed-price project after any milestone. A milestone is invoiced once you accept it or put it to use in your business beyond a trial, or {acceptance} working days after delivery if you report no defect in writing; invoices are due after {invoice} days.",
            notice=business.MONTHLY_NOTICE_DAYS,
            acceptance=business.ACCEPTANCE_DAYS,
            invoice=business.INVOICE_DAYS,
        ),
        t(
            "What you have paid for is yours. In fixed-price work we fix defects free of charge if you report them within {days} days of launch.",
            days=business.WARRANTY_DAYS,
        ),
        t(
            "As far as the law allows, neither side is liable for lost profit, business or goodwill, nor for indirect loss, and our liability is limited to the fees paid and payable under the contract in the year before the event, unless the contract names another sum. The law of England and Wales applies, and its courts decide."
        ),
    )


def _privacy_policy() -> Lines:
    return (
        t("If you only read this website, we store nothing that identifies you."),
        t(
            "If you contact us, we keep what you send us so that we can reply, for {months} months at most; you can have it deleted sooner. Contracts, invoices, affiliates’ records and what a dispute needs are kept longer.",
            months=months_at_most(settings().keep_leads),
        ),
        t("There is one cookie, set only when you choose a language. Nothing is loaded from other companies."),
        t(
            "We don’t sell your data, show advertising or build profiles. Data from this website is stored in the UK or the EEA."
        ),
        t(
            "Your data is seen by the companies that run servers, video calls, calendars and email for us, on our instructions only; by accountants and lawyers where their work requires it; by authorities where the law obliges us; and by PayPal if you are an affiliate. If an affiliate’s link led you to us, the affiliate sees the reference number, the day, whether you became a customer or why the referral doesn’t count, and the net amount and month of each payment or long unpaid invoice, with the commission or why there is none, but not your name, your company’s name or anything you wrote, unless you agree."
        ),
        t(
            "You can ask to see, copy, correct, delete or move your data, restrict or object to its use, and withdraw consent: email {email}. These are your rights under the UK GDPR; in Thailand you also have those of the PDPA, in mainland China those of the PIPL. You may also complain to the authority of your country.",
            email=settings().brand_email,
        ),
    )


def _cookies_policy() -> Lines:
    return (
        t("One cookie remembers the language you chose, until you close the browser."),
        t("Your theme, your unfinished messages and your place on a page are kept in your own browser."),
        t("There are no cookies for advertising or tracking, and none from other companies."),
        t(
            "A note of how you found us stays in this tab and reaches us only with a form you send. To prevent it, switch on Do Not Track or Global Privacy Control; an affiliate’s code is noted all the same."
        ),
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
        t(
            "Whatever is marked as a sample is fictional; in articles marked so, the authors, anecdotes and examples are. The commission example is not a forecast."
        ),
        t(
            "If something on this website stops you from using it, email us and we will fix it. If you find a weakness, please tell us."
        ),
    )


def _affiliate_terms() -> Lines:
    return (
        t(
            "You earn {percent}% of the net payments of each customer you refer; under a multi-year contract, only in {years}.",
            percent=business.terms_commission_percent(),
            years=tn("the first year", "the first {count} years", business.COMMISSION_YEARS),
        ),
        t(
            "A referral counts if it enters into a contract and makes its first payment within {months} months of first contacting us through your link. If it pays monthly, the contract must run for at least {term}. It must not have been our customer already, nor in talks with us about a project in the {days} days before it first contacted us through your link.",
            term=tn("one month", "{count} months", business.MINIMUM_SUBSCRIPTION_MONTHS),
            months=business.CONVERSION_MONTHS,
            days=business.PRIOR_OPPORTUNITY_DAYS,
        ),
        t(
            "Wherever you recommend us, say clearly that you may receive a commission. You must not promise, quote or sign anything in our name, send unsolicited messages, bid on our name in search advertising, or refer yourself or a company you control. You bear PayPal’s charges for receiving or converting money."
        ),
        t(
            "Commission is paid by PayPal within {days} days of our receiving the customer’s payment; the first payout in a currency is made once {threshold}, or its equivalent in that currency, has accrued.",
            days=business.PAYOUT_DAYS,
            threshold=pounds(business.PAYOUT_THRESHOLD_POUNDS),
        ),
        t(
            "Commission is due only on money we have received: if a payment is reversed and the customer has not paid within {days} days of the due date, or we pay it back, you refund any commission already paid on it. Commission gained through a breach of the agreement is forfeited.",
            days=business.UNPAID_DAYS,
        ),
        t(
            "Either side can end the agreement with {days} days’ written notice; payments that reach us after its end earn no commission. Until then and for {years} after it, you must not entice away our customers or people. Apart from commission due to you, our liability is limited, as far as the law allows, to the commission paid in the previous {months} months.",
            days=business.TERMINATION_NOTICE_DAYS,
            years=tn("one year", "{count} years", business.NON_SOLICITATION_YEARS),
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


def security_and_data() -> TextPage:
    return TextPage(
        headline=t("Security and your data"),
        intro=t("What anyone responsible for security will want to know."),
        figures=(
            Figure(t("1 working day"), t("at most between noticing an incident and telling you")),
            Figure(t("2 engineers"), t("behind every change: one writes it, another reviews it")),
            Figure(pounds(business.INDEMNITY_POUNDS), t("of professional indemnity cover for our work")),
            Figure(t("UK or EEA"), t("is where this website’s servers are; yours are where you decide")),
        ),
        contents=t("On this page"),
        parts=(
            Part(
                "accounts",
                t("Accounts and code"),
                points=(
                    t("Repositories, servers and store accounts are in your name. We are guests, and you can remove us."),
                    t("Each of us has their own account with two-factor sign-in; none is shared."),
                    t("Access ends on the day someone leaves the project, and you get an updated list of who has access."),
                    t("Every change is reviewed by a second engineer and can be traced to the person who made it."),
                ),
            ),
            Part(
                "data",
                t("Your customers’ data"),
                points=(
                    t(
                        "As a rule, we build and test with invented data. Where real data is needed, to move it, restore a backup or test a model, the contract says which, where it is processed and who sees it."
                    ),
                    t("Where real data is needed to find a bug, you decide who sees it and for how long, in writing."),
                    t(
                        "You decide where your servers are. If the law demands that data stay in mainland China, it is kept on servers there, under your own licences and filings. The servers of this website are in the UK or the EEA."
                    ),
                    t("We sign a data processing agreement before the first access."),
                ),
            ),
            Part(
                "building",
                t("How we build"),
                points=(
                    t(
                        "Dependencies are pinned and, while we look after your software, checked every day for known vulnerabilities."
                    ),
                    t(
                        "We validate all input, keep secrets out of the code, and keep personal data out of the logs unless an audit trail needs it."
                    ),
                    t("We restore a backup before launch: one that has never been restored is only a hope."),
                    t(
                        "Before launch we attack our own work. Where money or health is involved, there is also an independent penetration test before launch, or an independent audit of a smart contract; elsewhere you can add one. It is a separate item in the quote, priced by the tester you choose."
                    ),
                ),
            ),
            Part(
                "ai",
                t("AI tools"),
                points=(
                    t(
                        "For our own work we use AI assistants where your contract allows it, and never with your customers’ data."
                    ),
                    t("What they suggest is read, tested and signed off by an engineer like any other change."),
                    t("No model is trained on your code: we use plans that rule it out, and tell you which."),
                ),
            ),
            Part(
                "incidents",
                t("When something happens"),
                points=(
                    t(
                        "We tell you without undue delay, within one working day of noticing at the latest, or sooner where the contract says so, with what we know and what we don’t."
                    ),
                    t("Within ten working days you get the cause, as far as we know it, and what we changed, in writing."),
                    t(
                        "Our professional indemnity insurance covers our work for up to {amount}; the legal notice names the insurer and the territory. The sum we are liable for is in your contract or, if it names none, in the terms.",
                        amount=pounds(business.INDEMNITY_POUNDS),
                    ),
                ),
            ),
            Part(
                "this-site",
                t("What you send through this site"),
                markdown=t(
                    """We keep it in our own database for no more than {months} months (in backups about two weeks more), except contracts, invoices, affiliates’ records and what a contract or a legal dispute needs. No advertising, no tracking cookies. [The privacy policy](/legals/privacy-policy) has the details.""",
                    months=months_at_most(settings().keep_leads),
                ),
            ),
        ),
        invitation=Invitation(
            t("Does your security team have a questionnaire?"),
            t("Send it to us. You’ll have our answers within three working days, before you sign anything."),
            (write_to_us(), book_call()),
        ),
    )

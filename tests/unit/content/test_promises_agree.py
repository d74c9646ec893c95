"""Pages, forms, mails, legal texts, sample documents, case studies and articles promise the same figures, those of business.py."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from site_app.content import form_words
from site_app.content.about_us import about_us_words
from site_app.content.affiliate_program import affiliate_program_words
from site_app.content.contact_us import contact_us_words
from site_app.content.faq import faq_words
from site_app.content.home import home_words
from site_app.content.legal import LEGAL_PAGES, legal_page, security_and_data, summary_of
from site_app.content.navigation import footer_words, navigation_words
from site_app.content.price_page import price_page
from site_app.content.prices import calculator_words
from site_app.content.publications import PUBLICATION_KINDS
from site_app.content.routes import ROUTES
from site_app.content.sample_documents import report, scope
from site_app.content.services import SERVICES
from site_app.contracts.kinds import LEAD_KINDS
from site_app.core import business
from site_app.core.i18n import use
from site_app.core.i18n.markdown import plain_text
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings
from site_app.forms.form import view_of
from site_app.forms.views.consultation import CONSULTATION
from site_app.provider.booking.mails import Occasion
from tests.support.number_words import NUMBERS
from tests.support.records import a_message, a_quote, an_application, mails_of, meeting_mails, text_of

PAGES = (
    *(home_words, about_us_words, affiliate_program_words, price_page, calculator_words, contact_us_words, faq_words),
    *(footer_words, navigation_words, report, scope, security_and_data, *SERVICES.values()),
)
N = rf"(\d[\d,]*|{'|'.join(NUMBERS)})"
WEEK = tuple(f"{hour:%H:%M}" for hour in business.TEAM_HOURS)


@dataclass(frozen=True)
class Promise:
    """A figure, and patterns of the sentences that state it; the groups of a pattern are its numbers."""

    name: str
    expected: tuple[str, ...]
    patterns: tuple[str, ...]
    texts: str = ""  # a pattern of the names of the texts to read; empty: all

    def differences(self, texts: dict[str, str]) -> list[str]:
        """Returns every place that states another figure."""
        return [
            f"{name}: “{match[0].strip()}” instead of {', '.join(self.expected)}"
            for name, match in self._statements(texts)
            if tuple(_number(group) for group in match.groups()) != self.expected
        ]

    def _statements(self, texts: dict[str, str]) -> Iterator[tuple[str, re.Match[str]]]:
        for name, text in texts.items():
            if re.search(self.texts, name):
                for pattern in self.patterns:
                    yield from ((name, match) for match in re.finditer(pattern, text, re.IGNORECASE))


def _number(text: str) -> str:
    return str(NUMBERS.get(text.lower(), text.replace(",", "")))


def promise(name: str, expected: int, *patterns: str, **options: Any) -> Promise:
    return Promise(name, (str(expected),), patterns, **options)


PROMISES = (
    promise(
        "days until a reply",
        business.REPLY_DAYS,
        rf"\b(?:reply|replies|answer|hear from us|written answer)\b[^.:;]{{0,60}}\bwithin {N} working days?",
        rf"\bwithin {N} working days?,? (?:you’ll get|we’ll reply|a real person)",
        rf"\b{N} working days? until someone",
    ),
    promise(
        "day rate",
        business.DAY_RATE_POUNDS,
        rf"£{N} (?:a|per) (?:working )?day\b",
        rf"\bday rate of £{N}",
        rf"\bdays at £{N}",
        rf"£{N} one person’s day",
    ),
    promise(
        "smallest project",
        business.PROJECT_POUNDS,
        rf"\bproject starts at £{N}",
        rf"\bsmallest project is £{N}",
        rf"£{N} the smallest project\b",
        rf"£{N} a project\b",
        texts="^(?!(?:web|blockchain)_development)",  # whose projects cost more
    ),
    promise(
        "length of a call",
        business.consultation_minutes(),
        rf"\b{N}[- ]min(?:ute)?s?[- ](?:video )?call",
        rf"\bcall: {N} min",
        rf"\bcall lasts {N} minutes",
        rf"\bcall: {N} minutes",
        rf"\bcall It is free and takes {N} minutes",
        rf"\bduration: {N} minutes",
    ),
    promise(
        "days of warranty",
        business.WARRANTY_DAYS,
        rf"\b{N} days (?:after|of) (?:a fixed-price )?launch",
        rf"\b{N} days of (?:a fixed-price launch|free corrections)",
        rf"\breported within {N} days fixed free",
    ),
    Promise(
        "what the days of warranty count from",
        ("report",),
        (
            r"\b(\w+?)(?:ed)?(?: them)? within (?:\d+|ninety) days of (?:a fixed-price )?launch",
            r"\b(\w+) free (?:of charge )?(?:for|in the) (?:\d+|ninety) days\b",
        ),
    ),
    promise(
        "notice of monthly work", business.MONTHLY_NOTICE_DAYS, rf"\b{N} days’ (?:written )?notice", texts="^(?!.*affiliate)"
    ),
    promise("notice of affiliates", business.TERMINATION_NOTICE_DAYS, rf"\b{N} days’ (?:written )?notice", texts="affiliate"),
    promise(
        "days until an invoice is due",
        business.INVOICE_DAYS,
        rf"\binvoices? (?:is|are) due (?:after )?{N} days",
        rf"\binvoices? within {N} days",
        rf"\bwithin {N} days of the date of the invoice",
    ),
    promise(
        "days of acceptance",
        business.ACCEPTANCE_DAYS,
        rf"\b{N} working days (?:after (?:the )?delivery|of its delivery)",
        rf"\breport no defect within {N} working days",
        rf"\b{N} working days without a reported defect",
    ),
    promise(
        "most days of a connection to an undocumented system",
        15,
        rf"\bundocumented system takes \d+ to {N} days",
        rf"\bOrders from the existing system(?: \| \d+){{2}} \| {N}\b",
    ),
    promise("deliveries of the sample client", 650, rf"\babout {N} deliveries a day\b", rf"\bmoved {N} deliveries a day\b"),
    Promise(
        "text messages of the sample client",
        ("each", "15000"),
        (rf"\btext messages, one for (each|every late) delivery and another if it runs late: about {N}",),
    ),
    Promise(
        "customers of the sample client who get a text message",
        ("each",),
        (r"\b(a|each) customer is texted\b",),
    ),
    promise("days until the notes of a call", 1, rf"\bnotes by email within {N} working days?"),
    Promise("where a project may stop", ("milestone",), (r"\b(?:stop|end the project) after any (\w+)",)),
    Promise(
        "billing of monthly work",
        ("day",),
        (r"\bmonthly, for the (\w+)s worked", r"\bmonthly, per (\w+)"),
    ),
    Promise("what it takes to record a call", ("consent",), (r"\brecord (?:nothing|no call) without your (\w+)",)),
    # the mark that follows instead of an exception shows a text that lacks it
    Promise("currency of payment", ("unless",), (r"\bin pounds sterling\b[^.:;]*?(unless|[.:;])",)),
    promise("days that end a late project", business.LATE_DAYS, rf"\bmore than {N} working days late"),
    Promise(
        "cause of a delay that ends a project",
        ("a reason within our control",),
        (r"\bworking days late (?:through|for|because of) (our fault|a reason within our control)",),
    ),
    Promise(
        "months of a first mobile app",
        tuple(map(str, business.MOBILE_APP_MONTHS)),
        (
            rf"\b{N} to {N} months for a mobile app",
            rf"\b{N} to {N} months A first release for both systems",
            rf"\bone app for phones[^|]*\|[^|]*\|[^|]*Takes[^|]*\|[^|]*\| {N} to {N} months",
        ),
    ),
    Promise(
        "months of a first web application",
        tuple(map(str, business.WEB_APP_MONTHS)),
        (rf"\bfirst version in {N} to {N} months", rf"\b{N} to {N} months a focused first version"),
    ),
    Promise(
        "reminders of a call",
        ("a day and an hour",),
        (r"\breminders? (?:by email )?([a-z ]{3,40}?) before\b",),
    ),
    Promise(
        "days that are no working days",
        ("England",),
        (r"\bexcept public holidays in (\w+)", r"\bobserve the public holidays in (\w+)"),
    ),
    Promise(
        "what an affiliate learns of a customer",
        ("reference number",),
        (
            r"\baffiliate sees the (reference number|name)",
            r"\bto check your commission: (?:the |its )(reference number|name)",
            r"\blink led you to us[^:]{0,60}: the (?:statement of their commission names your )?(reference number|company)",
        ),
    ),
    Promise(
        "language that binds",
        ("English",),
        (r"\bthe (\w+) text prevails",),
    ),
    Promise(
        "language of calls",
        ("English",),
        (
            r"\bcalls? (?:are |is )?(?:with our founder, )?in (English|Thai|Chinese)\b",
            r"\bcalls, emails and contracts (?:are )?in (English, Thai or Chinese|whichever)",
        ),
    ),
    Promise("working hours", WEEK, (r"Monday to Friday,? (\d\d:\d\d)(?: to |–)(\d\d:\d\d)",)),
    promise("insurance", business.INDEMNITY_POUNDS, rf"\bindemnity insurance[^.£]{{0,40}}£{N}"),
    promise(
        "size of the team",
        business.TEAM,
        rf"\bof our {N} people",
        rf"\b{N} people: design",
        rf"\b(?:team|company|agency) of {N}\b",
        rf"\bwe are {N}\b",
        rf"\bthe {N} of us\b",
    ),
    promise(
        "year of foundation",
        business.FOUNDED,
        r"\b(?:founded|since|started) (?:in )?((?:19|20)\d\d)\b",
        texts=r"^(?!.*\.md$)",  # the years in case studies and articles are those of others
    ),
)


def records(record: Any, name: str) -> Iterator[tuple[str, str]]:
    """Yields the texts of each record in one piece, so that a figure and the words beside it are read together."""
    if is_dataclass(record):
        values = [(field.name, getattr(record, field.name)) for field in fields(record)]
        yield name, " ".join(value for _, value in values if isinstance(value, str))
        for field_name, value in values:
            if not isinstance(value, str):
                yield from records(value, f"{name}.{field_name}")
    elif isinstance(record, dict):
        for key, value in record.items():  # pyright: ignore[reportUnknownVariableType]
            yield from records(value, f"{name}.{key}")
    elif isinstance(record, (tuple, list)):
        pieces: list[Any] = [*record]  # pyright: ignore[reportUnknownArgumentType]
        if pieces and all(isinstance(piece, str) for piece in pieces):
            yield name, " ".join(pieces)
        else:
            for number, piece in enumerate(pieces):
                yield from records(piece, f"{name}.{number}")
    elif isinstance(record, str):
        yield name, record


def pages() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        yield from records(page(), page.__name__)
    for route in ROUTES:
        yield f"head of {route.path}", f"{route.title()} {route.description()}"


def forms() -> Iterator[tuple[str, str]]:
    for kind in (*LEAD_KINDS, CONSULTATION):
        yield from records(view_of(kind), f"form {kind.name}")
    yield from records((form_words.booking_words(), form_words.privacy_note("message")), "words of forms")
    yield from records(form_words.privacy_note("affiliate"), "privacy note of the affiliate form")


def mails() -> Iterator[tuple[str, str]]:
    for lead in (a_quote(), a_message(), an_application()):
        for template, mail in mails_of(lead).items():
            yield f"mail {template} of {lead.kind}", text_of(mail)
    for occasion in Occasion:
        for reader, mail in zip(("visitor", "host"), meeting_mails(occasion), strict=True):
            yield f"mail {occasion} to the {reader}", text_of(mail)


def files() -> Iterator[tuple[str, str]]:
    for path in LEGAL_PAGES:
        yield path, "\n".join(plain_text(block) for block in legal_page(path).blocks)
        yield f"summary of {path}", " ".join(summary_of(path))
    for kind in PUBLICATION_KINDS:
        for file in kind.folder.glob("*.md"):
            if "." not in file.stem:  # translations carry their language before the ending
                yield file.name, file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return collected((pages, forms, mails, files))


def collected(parts: Sequence[Callable[[], Iterator[tuple[str, str]]]], language: Locale = ENGLISH) -> dict[str, str]:
    by_name: dict[str, str] = {}
    with use(language):
        for part in parts:
            for name, text in part():
                by_name[name] = " ".join(f"{by_name.get(name, '')} {text}".replace("*", "").split())
    return by_name


@pytest.mark.parametrize("promise", PROMISES, ids=lambda entry: entry.name)
def test_every_text_promises_the_figure_of_the_table(promise: Promise, texts: dict[str, str]) -> None:
    differences = promise.differences(texts)

    assert not differences, "\n".join(differences)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("days until a reply", "Send a message at any time. We reply within two working days."),
        ("days until a reply", "Within 3 working days, we’ll reply with a first estimate."),
        ("day rate", "An engineer costs from £500 a day."),
        ("smallest project", "A fixed-price project starts at £8,000."),
        ("length of a call", "Book a free 7-minute call."),
        ("days of warranty", "We fix bugs free of charge for 60 days after launch."),
        ("notice of monthly work", "You may end it with 14 days’ notice."),
        ("days until an invoice is due", "Invoices are due 30 days after their date."),
        ("what the days of warranty count from", "Bugs found within 90 days of launch are fixed free of charge."),
        ("what the days of warranty count from", "Our mistakes fixed free for 90 days after launch."),
        ("days of acceptance", "At the latest 5 working days after delivery."),
        ("days of acceptance", "Putting it to use, or 5 working days without a reported defect, counts as acceptance."),
        (
            "most days of a connection to an undocumented system",
            "Each connection to an undocumented system takes 3 to 10 days.",
        ),
        ("deliveries of the sample client", "Dispatchers plan about 600 deliveries a day on a whiteboard."),
        (
            "text messages of the sample client",
            "Text messages, one for each delivery and another if it runs late: about 1,000",
        ),
        ("customers of the sample client who get a text message", "a customer is texted when a delivery runs late"),
        ("cause of a delay that ends a project", "more than 20 working days late through our fault"),
        ("days until the notes of a call", "Our notes by email within three working days."),
        ("where a project may stop", "You pay nothing before you sign, and you can stop after any week."),
        ("billing of monthly work", "Billing: monthly, per person."),
        ("what it takes to record a call", "We record no call without your request."),
        ("currency of payment", "By bank transfer in pounds sterling, within 14 days."),
        ("working hours", "We work Monday to Friday, 08:00 to 18:00."),
        ("months of a first mobile app", "2 to 3 months for a mobile app"),
        ("months of a first web application", "A focused first version in 4 to 6 months."),
        ("reminders of a call", "You’ll get a reminder by email a day before."),
        ("days that are no working days", "Monday to Friday, except public holidays in Scotland."),
        (
            "what an affiliate learns of a customer",
            "What you need in order to check your commission: its name and the payments.",
        ),
        ("language that binds", "Where they differ, the Thai text prevails."),
        ("language of calls", "Calls, emails and contracts are in English, Thai or Chinese."),
        ("insurance", "Our professional indemnity insurance covers £1,000,000."),
        ("size of the team", "We are twelve people."),
        ("year of foundation", "Founded in 2015."),
    ],
)
def test_a_text_that_states_another_figure_is_found(name: str, sentence: str) -> None:
    (promise,) = (replace(entry, expected=("the figure of the table",)) for entry in PROMISES if entry.name == name)

    (difference,) = promise.differences({"a page": sentence})

    assert difference.startswith("a page: ")


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_has_a_single_lowest_price(service: str) -> None:
    with use(ENGLISH):
        texts = " ".join(text for _, text in records(SERVICES[service]().fit, service))

    amounts = re.findall(r"\bfrom (?:about )?£(\d[\d,]*\d)\b(?! a day)", texts, re.IGNORECASE)

    assert len(set(amounts)) <= 1


FOUNDER_TAKES_CALLS = (
    r"(?i)\b(?:call|talk|minutes)\b[^.]{0,40} with our founder|\b(?:every|on every) first call|first call is with"
)


def test_no_text_promises_the_founder_for_the_meetings_of_colleagues(monkeypatch: pytest.MonkeyPatch) -> None:
    default = collected((pages, forms, mails, files))
    several = replace(Settings(), booking_languages=("th Siriporn Chaiyasit", "cn Wei Zhang"))
    monkeypatch.setattr(form_words, "settings", lambda: several)

    claims = {name for name, text in collected((pages, forms, mails, files)).items() if re.search(FOUNDER_TAKES_CALLS, text)}

    assert any(re.search(FOUNDER_TAKES_CALLS, text) for text in default.values())
    assert claims == set()


def test_every_sentence_follows_another_length_of_a_meeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other figure is 105, so a text that lacks it in one language has typed the length."""
    monkeypatch.setattr(business, "settings", lambda: replace(Settings(), booking_length=timedelta(minutes=105)))

    naming = {
        language.id: {name for name, text in collected((pages, forms, files), language).items() if "105" in text}
        for language in LOCALES
    }

    assert naming[ENGLISH.id]
    assert naming == dict.fromkeys(naming, naming[ENGLISH.id])

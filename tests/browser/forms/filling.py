"""The forms as a visitor fills them in, and the leads that come of it."""

import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from site_app.store.tables import LEADS
from tests.browser.server import Site

QUICK = {"SITE_MINIMUM_FILLING_TIME": "0s", "SITE_LIMIT_SUBMISSIONS": "1000/minute", "SITE_STARTUP_DELAY": "100ms"}


@dataclass(frozen=True)
class Form:
    """Where a form is, how it is filled in so that it can be sent, and what begins its reference."""

    name: str
    path: str
    id: str
    send: str
    letter: str
    fill: Callable[[Locator], None]
    first_wrong: str
    required: tuple[str, ...]

    def on(self, page: Page) -> Locator:
        return page.locator(f"#{self.id}")

    def button(self, page: Page) -> Locator:
        return self.on(page).get_by_role("button", name=self.send)


def _person(form: Locator) -> None:
    form.get_by_label("Full name").fill("Ada Lovelace")
    form.get_by_label("Email address").fill("ada@example.org")


def _message(form: Locator) -> None:
    _person(form)
    form.get_by_label("Subject").fill("A question")
    form.get_by_label("Your message").fill("Do you write programs for machines that do not exist yet?")


def _quote(form: Locator) -> None:
    _person(form)
    form.get_by_label("Web development").check()
    form.get_by_label("Project description").fill("A machine that weaves algebraic patterns.")


def _application(form: Locator) -> None:
    form.get_by_label("First name").fill("Ada")
    form.get_by_label("Last name").fill("Lovelace")
    form.get_by_label("Email address").fill("ada@example.org")
    choose(form, "Country", "unit k", "United Kingdom")
    form.get_by_label("I have read and agree").check()


def searchable(form: Locator, label: str) -> Locator:
    """A select that can be searched; the phone number's country is another combobox."""
    return form.get_by_role("combobox", name=re.compile(f"^{label}( optional)?$"))


def choose(form: Locator, label: str, typed: str, chosen: str) -> None:
    """Find an option by typing."""
    field = searchable(form, label)
    field.fill(typed)
    expect(form.page.get_by_role("option", name=chosen).first).to_be_visible()
    field.press("Enter")
    expect(field).to_have_value(chosen)


_PERSON = ("Full name is required", "Email address is required")
QUOTE = Form(
    "quote",
    "/?open=quote",
    "quote-form",
    "Request the quote",
    "Q",
    _quote,
    "full_name",
    (*_PERSON, "Make sure to select at least 1 service", "Project description is required"),
)
CONTACT = Form(
    "contact",
    "/?open=contact",
    "contact-form",
    "Send message",
    "M",
    _message,
    "full_name",
    (*_PERSON, "Subject is required", "Your message is required"),
)
CONTACT_PAGE = Form(
    "contact",
    "/contact-us",
    "contact-page-form",
    "Send message",
    "M",
    _message,
    "full_name",
    (*_PERSON, "Subject is required", "Your message is required"),
)
AFFILIATE = Form(
    "affiliate",
    "/company/affiliate-program",
    "affiliate-form",
    "Send the application",
    "A",
    _application,
    "first_name",
    (
        "First name is required",
        "Last name is required",
        "Email address is required",
        "Country is required",
        "Agreement to the affiliate terms is required",
    ),
)
FORMS = (QUOTE, CONTACT, CONTACT_PAGE, AFFILIATE)


def result(page: Page) -> Locator:
    """What takes a form's place once it has been sent."""
    return page.locator(".result:visible")


def reference(page: Page, *, within: float = 10_000) -> str:
    expect(result(page)).to_be_visible(timeout=within)
    return result(page).locator("dd strong").inner_text()


def leads(site: Site) -> list[str]:
    """The references of all leads that were kept."""
    with sqlite3.connect(f"file:{site.var}/site.db?mode=ro", uri=True) as database:
        rows = database.execute(" union all ".join(f"select reference from {table.__tablename__}" for table in LEADS))
        return [reference for (reference,) in rows]


def since(before: list[str], site: Site) -> list[str]:
    """The references of the leads that have come since then."""
    return [one for one in leads(site) if one not in before]


def kept(site: Site, column: str, reference: str) -> str:
    """One column of the lead of that reference."""
    with sqlite3.connect(f"file:{site.var}/site.db?mode=ro", uri=True) as database:
        for table in (table for table in LEADS if column in table.model_fields):
            found = database.execute(f"select {column} from {table.__tablename__} where reference = ?", (reference,)).fetchone()
            if found:
                return found[0]
    raise LookupError(f"{column} of {reference}")

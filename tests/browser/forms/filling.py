"""Filling in the forms as a visitor does, and reading the resulting leads."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.booking.steps import reserve
from tests.support.site_server import Site


@dataclass(frozen=True)
class Form:
    """A form's address, the fields it needs, and the first letter of its reference."""

    name: str
    path: str
    id: str
    letter: str
    required: tuple[str, ...]
    fill: Callable[[Locator], None]

    def __str__(self) -> str:
        return self.id

    def filled(self, visit: Callable[..., Page], **options: Any) -> Page:
        """Opens its page and fills in everything it needs."""
        page = visit(self.path, **options)
        self.fill(self.on(page))
        return page

    def on(self, page: Page) -> Locator:
        return page.locator(f"#{self.id}")

    def field(self, page: Page, name: str) -> Locator:
        return self.on(page).locator(f"[name={name}]").first

    def button(self, page: Page) -> Locator:
        return self.on(page).locator("button[type=submit]")


def clear_button(page: Page) -> Locator:
    return page.locator(".submit-row > .button-text:visible")


def _texts(form: Locator, **texts: str) -> None:
    for name, text in texts.items():
        form.locator(f"[name={name}]").fill(text)


def _person(form: Locator) -> None:
    _texts(form, full_name="Ada Lovelace", email="ada@example.org")


def _message(form: Locator) -> None:
    _person(form)
    _texts(form, subject="A question", message="Do you write programs for machines that do not exist yet?")


def open_rest(form: Locator) -> None:
    """Opens the line of the quote form behind which the fields are that may stay empty."""
    form.locator(".form-more").wait_for()  # the form may still be on its way
    if (line := form.locator(".form-more:not([open]) > summary")).count():
        line.click()


def _quote(form: Locator) -> None:
    open_rest(form)
    _person(form)
    form.locator("[name=services]").first.check()
    _texts(form, project_description="A machine that weaves algebraic patterns.")


def _application(form: Locator) -> None:
    _texts(form, first_name="Ada", last_name="Lovelace", email="ada@example.org")
    choose(form, "country", "unit k", "United Kingdom")
    form.locator("[type=checkbox]").check()


def _call(form: Locator) -> None:
    reserve(form.page)


def searchable(form: Locator, name: str) -> Locator:
    """Returns a searchable select; the phone number's country is another combobox."""
    return form.locator(f"[role=combobox][data-field={name}]")


def choose(form: Locator, name: str, typed: str, option: str) -> None:
    """Finds an option by typing."""
    field = searchable(form, name)
    field.fill(typed)
    expect(form.page.get_by_role("option", name=option).first).to_be_visible()
    field.press("Enter")
    expect(field).to_have_value(option)


_MESSAGE = ("full_name", "email", "subject", "message")
_QUOTE = ("full_name", "email", "services", "project_description")
_APPLICATION = ("first_name", "last_name", "email", "country", "agreed_terms_version")
QUOTE = Form("quote", "/?open=quote", "quote-form", "Q", _QUOTE, _quote)
CONTACT = Form("message", "/?open=contact", "contact-form", "M", _MESSAGE, _message)
CONTACT_PAGE = Form("message", "/contact-us", "contact-page-form", "M", _MESSAGE, _message)
AFFILIATE = Form("affiliate", "/company/affiliate-program", "affiliate-form", "A", _APPLICATION, _application)
FORMS = (QUOTE, CONTACT, CONTACT_PAGE, AFFILIATE)
CONSULTATION = Form("consultation", "/?open=consultation", "consultation-form", "C", ("full_name", "email"), _call)


_FORM_VALUES = """form => Object.fromEntries([...form.elements]
  .filter(field => field.name && field.type !== "file" && !["hold", "website_url"].includes(field.name))
  .filter(field => !field.dataset.onlyWith || form.elements[field.dataset.onlyWith].value)
  .map(field => [field.name + (field.type === "checkbox" ? field.value : ""), field.type === "checkbox" ? field.checked : field.value]))"""


def form_values(form: Locator) -> dict[str, Any]:
    """Returns the form's values, by field."""
    return form.evaluate(_FORM_VALUES)


def result(page: Page) -> Locator:
    """Returns the panel that replaces a form once it has been sent."""
    return page.locator(".result:visible")


def reference(page: Page, *, within_ms: float = 10_000) -> str:
    expect(result(page)).to_be_visible(timeout=within_ms)
    return result(page).locator("dd strong").first.inner_text()


def leads(site: Site) -> list[str]:
    """Returns the references of all stored leads and meetings."""
    with sqlite3.connect(f"file:{site.var}/site.db?mode=ro", uri=True) as database:
        rows = database.execute("select reference from lead union all select reference from meeting")
        return [reference for (reference,) in rows]


def new_leads(earlier_leads: list[str], site: Site) -> list[str]:
    """Returns the references of the leads that are new since then."""
    return [lead for lead in leads(site) if lead not in earlier_leads]


def stored_value(site: Site, name: str, reference: str) -> Any:
    """Returns a field of the lead with this reference."""
    with sqlite3.connect(f"file:{site.var}/site.db?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute("select * from lead where reference = ?", (reference,)).fetchone())
    return (row | json.loads(row.pop("said")))[name]

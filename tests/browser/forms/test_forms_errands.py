"""Each form filled in by mouse and by keyboard, on a screen and on a phone, rightly and wrongly."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.forms.filling import (
    AFFILIATE,
    CONTACT,
    CONTACT_PAGE,
    QUOTE,
    Form,
    choose,
    kept,
    leads,
    reference,
    result,
    searchable,
)
from tests.browser.server import Site
from tests.browser.waiting import until

Visit = Callable[..., Page]
FOCUSED = "document.activeElement.id"
_ERRORS = """all => all.map(one =>
  [one.id, !!one.textContent.trim() && !!document.querySelector(`[aria-invalid=true][aria-describedby~='${one.id}']`)])"""


# A phone's width where the form is one in a dialog, a desk's where it is on a page.
@pytest.mark.parametrize(("form", "width"), [(QUOTE, 360), (CONTACT, 360), (AFFILIATE, 1280)], ids=str)
def test_a_form_ends_in_a_reference_and_the_focus_is_on_it(visit: Visit, site: Site, form: Form, width: int) -> None:
    page = visit(form.path, width=width)
    form.fill(form.on(page))

    form.button(page).click()

    assert reference(page).startswith(form.letter)
    assert reference(page) in leads(site)
    expect(result(page).get_by_role("heading").first).to_be_focused()
    expect(page.locator(".snackbar-success")).to_be_visible()
    until(page, f"sessionStorage['draft:{form.name}'] ?? 'gone'", "gone")


@pytest.mark.parametrize("form", [QUOTE, AFFILIATE], ids=str)
def test_an_empty_form_says_what_is_missing_beside_each_field_and_leads_to_the_first(visit: Visit, form: Form) -> None:
    page = visit(form.path, width=360)

    form.button(page).click()

    until(page, FOCUSED, f"{form.id}-{form.required[0]}")
    assert form.on(page).locator(".field-error").evaluate_all(_ERRORS) == [
        [f"{form.id}-{one}-error", True] for one in form.required
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def tab_to(page: Page, field: str) -> None:
    """Press Tab until that field has the focus: the country before the phone number is there only once its list has come."""
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == field:
            return
    raise AssertionError(f"{field} cannot be reached with the keyboard")


def test_the_contact_form_can_be_sent_with_the_keyboard_alone(visit: Visit, site: Site) -> None:
    page = visit("/contact-us")
    page.locator("#contact-page-form-full_name").focus()
    page.keyboard.type("Ada Lovelace")
    for field, text in {
        "email": "ada@example.org",
        "phone": "020 7946 0958",
        "company": "Analytical Engines Ltd",
        "subject": "A question",
    }.items():
        tab_to(page, f"contact-page-form-{field}")
        page.keyboard.type(text)

    page.keyboard.press("Enter")  # too early: the message is missing
    until(page, FOCUSED, "contact-page-form-message")
    page.keyboard.type("Do you write programs?")
    for _ in range(2):  # past the privacy policy
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    number = reference(page)
    assert kept(site, "phone_e164", number) == "+442079460958"
    assert kept(site, "company", number) == "Analytical Engines Ltd"


def test_an_error_comes_on_leaving_a_field_and_goes_once_it_is_mended(visit: Visit) -> None:
    page = visit("/contact-us")
    field = CONTACT_PAGE.field(page, "email")
    error = page.locator("#contact-page-form-email-error")

    field.press_sequentially("ada")
    expect(error).to_be_hidden()
    field.blur()
    expect(error).to_be_visible()
    field.press_sequentially("@example.or")
    expect(error).to_be_hidden()
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_what_only_the_server_can_see_stands_beside_its_field(visit: Visit, site: Site) -> None:
    page = visit("/contact-us")
    before = len(leads(site))
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    email = CONTACT_PAGE.field(page, "email")
    email.fill("ada@nowhere.invalid")

    CONTACT_PAGE.button(page).click()

    expect(page.locator("#contact-page-form-email-error")).to_be_visible()
    expect(email).to_be_focused()
    assert len(leads(site)) == before
    email.fill("ada@example.org")
    CONTACT_PAGE.button(page).click()
    assert reference(page) in leads(site)


def test_a_select_is_searched_by_typing_and_by_the_arrow_keys(visit: Visit, site: Site) -> None:
    page = visit("/company/affiliate-program")
    form = AFFILIATE.on(page)
    AFFILIATE.fill(form)
    choose(form, "country", "thai", "Thailand")
    field = searchable(form, "currency")

    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("Escape")
    expect(field).to_have_attribute("aria-expanded", "false")
    field.fill("baht")
    field.press("Tab")
    expect(field).to_have_value("Thai Baht (THB)")
    AFFILIATE.button(page).click()

    number = reference(page)
    assert (kept(site, "country", number), kept(site, "currency", number)) == ("TH", "THB")


def test_on_touch_the_select_is_the_devices_own(visit: Visit, site: Site) -> None:
    page = visit("/?open=quote", width=360, has_touch=True, is_mobile=True)
    form = QUOTE.on(page)
    QUOTE.fill(form)

    form.locator("select[name=country]").select_option("TH")
    QUOTE.button(page).tap()

    assert kept(site, "country", reference(page)) == "TH"


def test_the_version_of_the_terms_agreed_to_is_kept(visit: Visit, site: Site) -> None:
    page = visit("/company/affiliate-program")
    box = AFFILIATE.on(page).locator("[type=checkbox]")
    expect(box).not_to_be_checked()
    version = box.get_attribute("value")
    AFFILIATE.fill(AFFILIATE.on(page))

    AFFILIATE.button(page).click()

    assert version
    assert kept(site, "agreed_terms_version", reference(page)) == version


def test_after_a_quote_the_call_is_prepared(visit: Visit) -> None:
    page = visit("/?open=quote")
    QUOTE.fill(QUOTE.on(page))
    QUOTE.field(page, "phone").fill("020 7946 0958")
    QUOTE.button(page).click()
    reference(page)

    result(page).locator(".submit-row .button-strong").click()

    expect(page.locator("#consultation-dialog")).to_be_visible()
    carried = (
        "(({ full_name, email, phone }) => [full_name, email, phone])(JSON.parse(sessionStorage['draft:consultation']).fields)"
    )
    until(page, carried, ["Ada Lovelace", "ada@example.org", "020 7946 0958"])


def test_a_form_can_be_sent_again_for_something_else(visit: Visit, site: Site) -> None:
    page = visit("/?open=contact")
    CONTACT.fill(CONTACT.on(page))
    CONTACT.button(page).click()
    first = reference(page)

    result(page).locator(".submit-row button").last.click()
    expect(CONTACT.field(page, "full_name")).to_have_value("")
    CONTACT.fill(CONTACT.on(page))
    CONTACT.button(page).click()

    assert reference(page) != first


def test_a_bot_that_fills_in_the_trap_is_kept_in_quarantine(visit: Visit, site: Site) -> None:
    page = visit("/contact-us")
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    page.locator("#contact-page-form [name=website_url]").evaluate("field => { field.value = 'https://spam.example' }")

    CONTACT_PAGE.button(page).click()

    assert kept(site, "status", reference(page)) == "quarantined"

"""Each form filled in by mouse and by keyboard, on a screen and on a phone, correctly and with mistakes."""

import uuid

import httpx
import pytest
from playwright.sync_api import expect

from site_app.content.form_words import mail_step, result_words
from site_app.core.colors import light
from site_app.provider.outbox.mailboxes import MAILS_A_DAY
from tests.browser.away import AWAY
from tests.browser.axe import findings
from tests.browser.booking.steps import tab_to
from tests.browser.forms.filling import (
    AFFILIATE,
    CONTACT,
    CONTACT_PAGE,
    QUOTE,
    Form,
    choose,
    leads,
    reference,
    result,
    searchable,
    stored_value,
)
from tests.browser.visit import Visit
from tests.browser.waiting import pass_time, stop_clock, until
from tests.support.builders import message
from tests.support.site_server import Site

FOCUSED = "document.activeElement.id"
_ERRORS = """errors => errors.map(error =>
  [error.id, !!error.textContent.trim() && !!document.querySelector(`[aria-invalid=true][aria-describedby~='${error.id}']`)])"""


@pytest.mark.parametrize(("form", "width"), [(QUOTE, 360), (AFFILIATE, 1280)], ids=str)
def test_a_form_is_refused_corrected_and_sent_and_axe_finds_nothing(visit: Visit, site: Site, form: Form, width: int) -> None:
    """A form in a dialog, in the dark, on a phone, and one on a page; together they have every kind of field."""
    page = visit(form.path, width=width, dark=form is QUOTE)
    expect(form.button(page)).to_be_visible()
    assert findings(page) == []

    form.button(page).click()
    until(page, FOCUSED, f"{form.id}-{form.required[0]}")
    assert form.on(page).locator(".field-error").evaluate_all(_ERRORS) == [
        [f"{form.id}-{name}-error", True] for name in form.required
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert findings(page) == []

    form.fill(form.on(page))
    form.button(page).click()
    assert reference(page).startswith(form.letter)
    assert reference(page) in leads(site)
    expect(result(page).get_by_role("heading").first).to_be_focused()
    expect(page.locator(".snackbar-success")).to_be_visible()
    until(page, f"sessionStorage['draft:{form.name}'] ?? 'gone'", "gone")
    assert findings(page) == []


def test_axe_finds_nothing_while_a_form_is_being_sent_and_when_it_fails(visit: Visit, site: Site) -> None:
    page = visit(CONTACT.path, socket=False, allowed=AWAY)
    page.route("**/v1.0/sendMessage", lambda route: None)  # never answered
    CONTACT.fill(CONTACT.on(page))
    stop_clock(page)

    CONTACT.button(page).click()
    pass_time(page, lambda: page.locator(".submit-status:not(:empty)").is_visible())
    page.clock.resume()  # axe needs a running clock
    assert findings(page) == []
    stop_clock(page)

    pass_time(page, lambda: page.locator(".form-trouble").is_visible(), within_ms=20_000)
    page.clock.resume()
    assert findings(page) == []


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
        tab_to(page, f"#contact-page-form-{field}")
        page.keyboard.type(text)

    page.keyboard.press("Enter")  # too early: the message is missing
    until(page, FOCUSED, "contact-page-form-message")
    page.keyboard.type("Do you write programs?")
    for _ in range(2):  # past the link to the privacy policy
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    number = reference(page)
    assert stored_value(site, "phone_e164", number) == "+442079460958"
    assert stored_value(site, "company", number) == "Analytical Engines Ltd"


def test_errors_appear_on_leaving_a_field_and_those_of_the_server_at_their_field(visit: Visit, site: Site) -> None:
    page = visit("/contact-us")
    count_before = len(leads(site))
    email, error = CONTACT_PAGE.field(page, "email"), page.locator("#contact-page-form-email-error")

    email.press_sequentially("ada")
    expect(error).to_be_hidden()
    email.blur()
    expect(error).to_be_visible()
    email.press_sequentially("@example.or")
    expect(error).to_be_hidden()
    expect(email).not_to_have_attribute("aria-invalid", "true")

    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    email.fill("ada@nowhere.invalid")
    CONTACT_PAGE.button(page).click()
    expect(error).to_be_visible()
    expect(email).to_be_focused()
    assert len(leads(site)) == count_before

    email.fill("ada@example.org")
    CONTACT_PAGE.button(page).click()
    assert reference(page) in leads(site)


def test_typed_choices_and_the_agreed_version_of_the_terms_are_stored(visit: Visit, site: Site) -> None:
    page = visit("/company/affiliate-program")
    form = AFFILIATE.on(page)
    box = form.locator("[type=checkbox]")
    expect(box).not_to_be_checked()
    version = box.get_attribute("value")
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
    assert (stored_value(site, "country", number), stored_value(site, "currency", number)) == ("TH", "THB")
    assert version
    assert stored_value(site, "agreed_terms_version", number) == version


def test_text_typed_into_a_select_is_chosen_or_cleared_by_a_press_outside(visit: Visit) -> None:
    page = visit("/company/affiliate-program")
    form = AFFILIATE.on(page)
    country, select = searchable(form, "country"), form.locator("select[name=country]")

    country.fill("Germany")
    form.locator("[name=first_name]").click()
    expect(country).to_have_value("Germany")
    expect(country).to_have_attribute("aria-expanded", "false")
    expect(select).to_have_value("DE")

    country.fill("")
    page.locator("h1").click()
    expect(country).to_have_value("")
    expect(country).to_have_attribute("aria-expanded", "false")
    expect(select).to_have_value("")


def test_a_word_without_matches_can_be_edited_after_a_click_and_keeps_the_choice(visit: Visit) -> None:
    page = visit("/company/affiliate-program")
    form = AFFILIATE.on(page)
    country, select = searchable(form, "country"), form.locator("select[name=country]")
    choose(form, "country", "thai", "Thailand")

    country.fill("Unted")
    country.click()
    expect(country).to_have_value("Unted")
    country.press("Enter")
    expect(select).to_have_value("TH")

    country.fill("United Kin")
    page.get_by_role("option", name="United Kingdom").click()
    expect(select).to_have_value("GB")


def test_the_active_option_is_marked(visit: Visit) -> None:
    form = AFFILIATE.on(visit("/company/affiliate-program"))
    country = searchable(form, "country")

    country.press("ArrowDown")
    country.press("ArrowDown")

    expect(form.locator(".option[data-active]")).to_have_css("box-shadow", f"{_rgb(light()['accent'])} 3px 0px 0px 0px inset")


def _rgb(color: str) -> str:
    return f"rgb{(*bytes.fromhex(color.removeprefix('#')),)}"


def test_a_word_without_matches_is_announced(visit: Visit) -> None:
    form = AFFILIATE.on(visit("/company/affiliate-program"))
    country = searchable(form, "country")
    announcement = country.locator("xpath=..").get_by_role("status")
    expect(announcement).to_have_text("")

    country.fill("Atlantis")

    expect(announcement).to_have_text(form.locator(".option-none").inner_text())


def test_a_refused_form_focuses_the_wrong_field_and_not_a_doubtful_phone_number(visit: Visit) -> None:
    page = visit("/contact-us")
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    phone, text = CONTACT_PAGE.field(page, "phone"), CONTACT_PAGE.field(page, "message")
    phone.press_sequentially("020")
    phone.blur()
    expect(phone).to_have_attribute("aria-invalid", "true")
    text.fill("")

    CONTACT_PAGE.button(page).click()

    expect(text).to_be_focused()


def test_the_enter_that_ends_a_word_of_an_input_method_chooses_nothing(visit: Visit) -> None:
    form = AFFILIATE.on(visit("/company/affiliate-program"))
    country = searchable(form, "country")

    country.fill("united")
    country.dispatch_event("keydown", {"key": "Enter", "keyCode": 229})  # as Safari sends it: the composition has already ended

    expect(country).to_have_value("united")
    expect(country).to_have_attribute("aria-expanded", "true")


def test_a_pasted_phone_number_is_in_the_draft_and_takes_the_error_away(visit: Visit) -> None:
    page = visit("/contact-us", socket=False, allowed=AWAY)
    refusal = {"code": "invalid", "message": "", "fields": {"phone": "We cannot call this number."}}
    page.route("**/v1.0/sendMessage", lambda route: route.fulfill(status=422, json={"error": refusal}))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone = CONTACT_PAGE.field(page, "phone")
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    CONTACT_PAGE.button(page).click()
    expect(page.get_by_text("We cannot call this number.").first).to_be_visible()

    page.evaluate("navigator.clipboard.writeText('Tel: +44 20 7946 0958')")
    phone.focus()
    page.keyboard.press("Control+v")

    expect(phone).to_have_value("+44 20 7946 0958")
    expect(phone).not_to_have_attribute("aria-invalid", "true")
    until(page, "JSON.parse(sessionStorage['draft:message']).fields.phone", "+44 20 7946 0958")


def test_on_touch_a_quote_uses_native_selects_and_prefills_the_booking_form(visit: Visit, site: Site) -> None:
    page = visit("/?open=quote", width=360, has_touch=True, is_mobile=True)
    form = QUOTE.on(page)
    QUOTE.fill(form)
    QUOTE.field(page, "phone").fill("020 7946 0958")

    form.locator("select[name=country]").select_option("TH")
    QUOTE.button(page).tap()
    assert stored_value(site, "country", reference(page)) == "TH"
    result(page).locator(".submit-row .button-strong").click()

    expect(page.locator("#consultation-dialog")).to_be_visible()
    carried = (
        "(({ full_name, email, phone }) => [full_name, email, phone])(JSON.parse(sessionStorage['draft:consultation']).fields)"
    )
    until(page, carried, ["Ada Lovelace", "ada@example.org", "020 7946 0958"])


def test_a_filled_honeypot_sends_the_lead_to_quarantine(visit: Visit, site: Site) -> None:
    page = CONTACT.filled(visit)
    CONTACT.on(page).locator("[name=website_url]").evaluate("field => { field.value = 'https://spam.example' }")

    CONTACT.button(page).click()

    assert stored_value(site, "status", reference(page)) == "quarantined"


def test_a_form_is_empty_for_a_second_message_which_is_another_lead(visit: Visit) -> None:
    page = CONTACT.filled(visit)
    CONTACT.button(page).click()
    first = reference(page)

    result(page).locator(".submit-row button").last.click()
    expect(CONTACT.field(page, "full_name")).to_have_value("")
    CONTACT.fill(CONTACT.on(page))
    CONTACT.button(page).click()

    assert reference(page) != first


@pytest.mark.parametrize("socket", [True, False])
def test_the_confirmation_says_if_no_mail_is_sent(visit: Visit, site: Site, socket: bool) -> None:
    address = f"{uuid.uuid4().hex[:8]}@example.org"
    for _ in range(MAILS_A_DAY):
        httpx.post(f"{site.url}/v1.0/sendMessage", json=message(email=address), headers={"X-API-Key": "website"})
    page = CONTACT.filled(visit, socket=socket)
    CONTACT.field(page, "email").fill(address)
    CONTACT.button(page).click()

    words = result_words("", "", "", mail_step=mail_step())
    expect(result(page)).to_contain_text(words["unmailed"])
    expect(result(page)).not_to_contain_text(words["mailed"])
    assert stored_value(site, "email", reference(page)) == address

"""Changing the language keeps typed, chosen and held values."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import findings
from tests.browser.booking.steps import LOOKUP, choose, confirmed, hold, is_free, new_address
from tests.browser.forms.filling import AFFILIATE, QUOTE, form_values, reference
from tests.browser.forms.filling import choose as choose_option
from tests.browser.visit import Visit
from tests.browser.waiting import until, until_true
from tests.support.site_server import Site

THAI = {"United Kingdom": "สหราชอาณาจักร", "Japan": "ญี่ปุ่น"}


def _expect_values(form: Locator, typed: dict[str, Any]) -> None:
    until_true(form.page, lambda: form_values(form) == typed)


@contextmanager
def _until_labels_change(page: Page) -> Iterator[None]:
    """On leaving, wait until the form's labels are in another language."""
    label = page.locator("form:visible label[for$=email]").first
    text_before = label.inner_text()
    yield
    expect(label).not_to_have_text(text_before, timeout=15_000)


def _in_dialog(page: Page, language: str) -> None:
    page.locator(f"dialog[open] a[data-language={language}]").click()


def _in_menu(page: Page, language: str) -> None:
    page.locator(".bar-wide summary").click()
    page.locator(f".bar-wide a[data-language={language}]").click()


def test_a_dialog_offers_the_languages_and_keeps_its_input(visit: Visit, tmp_path: Path) -> None:
    page = visit(QUOTE.path.replace("/?", "/faq?"))
    fields = QUOTE.on(page)
    QUOTE.fill(fields)
    fields.locator("[name=phone]").scroll_into_view_if_needed()
    expect(fields.locator(".phone-selected img")).to_be_visible()  # the country decides the format of a number
    for name, text in {"company": "Analytical Engines", "phone": "+66 81 234 5678", "additional_notes": "Two\nlines"}.items():
        fields.locator(f"[name={name}]").fill(text)
    choose_option(fields, "country", "japan", "Japan")
    choose_option(fields, "currency", "yen", "Japanese Yen (JPY)")
    (tmp_path / "notes.txt").write_text("Looms.")
    fields.locator("[type=file]").set_input_files(tmp_path / "notes.txt")
    expect(fields.locator(".file-name")).to_have_text("notes.txt")
    typed = form_values(fields)

    with _until_labels_change(page):
        _in_dialog(page, "th")
        page.wait_for_url("**/th/faq")
    until(page, "document.activeElement.matches('dialog h2')")
    _expect_values(fields, typed)
    assert findings(page) == []
    expect(fields.locator("[role=combobox][id$=country]")).to_have_value(THAI["Japan"])
    expect(fields.locator(".file-name")).to_have_text("notes.txt")

    with _until_labels_change(page):
        _in_dialog(page, "cn")
        page.wait_for_url("**/cn/faq")
    _expect_values(fields, typed)
    fields.locator(".submit-row button[type=submit]").click()
    reference(page)


def test_a_form_on_a_page_keeps_its_input(visit: Visit) -> None:
    form = AFFILIATE
    page = visit(form.path)
    fields = form.on(page)
    form.fill(fields)
    typed = form_values(fields)

    with _until_labels_change(page):
        _in_menu(page, "th")
        page.wait_for_url("**/th/**")
    _expect_values(fields, typed)
    expect(fields.locator("[role=combobox][id$=country]")).to_have_value(THAI["United Kingdom"])

    with _until_labels_change(page):
        _in_menu(page, "en")
        page.wait_for_url(lambda address: "/th/" not in address)
    _expect_values(fields, typed)
    form.button(page).click()
    reference(page)


def test_a_dialog_closed_for_the_menu_keeps_its_input(visit: Visit) -> None:
    page = visit("/faq?open=quote")
    fields = QUOTE.on(page)
    QUOTE.fill(fields)
    typed = form_values(fields)

    page.keyboard.press("Escape")
    _in_menu(page, "cn")
    page.wait_for_url("**/cn/faq")
    page.locator("header [commandfor=quote-dialog]:visible").click()
    expect(fields).to_be_visible()

    _expect_values(fields, typed)


def test_changing_the_language_keeps_a_chosen_time_and_its_hold(visit: Visit, site: Site) -> None:
    page = visit("/faq?open=consultation", timezone_id="Asia/Bangkok", allowed=(LOOKUP,))
    slot = choose(page, 4)
    _in_dialog(page, "cn")
    page.wait_for_url("**/cn/faq")
    expect(page.locator(f".slot input[value='{slot}']")).to_be_checked(timeout=15_000)  # chosen, and not yet held
    hold(page)
    fields = page.locator("#consultation-form")
    # the field may have another text before its country is known
    expect(fields.locator(".phone-selected img")).to_be_visible()
    fields.locator("[name=full_name]").fill("Ada Lovelace")
    fields.locator("[name=email]").fill(new_address())
    fields.locator("[name=project_information]").fill("Looms.")
    typed, messages = form_values(fields), []
    page.on("request", lambda request: messages.append(request.url))
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: messages.append(str(frame))))

    with _until_labels_change(page):
        _in_dialog(page, "th")
        page.wait_for_url("**/th/faq")
    expect(page.locator(".hold-left")).to_be_visible()
    assert not is_free(site, slot)
    assert [message for message in messages if "eleaseHold" in message or "slots_state.release" in message] == []
    _expect_values(fields, typed)
    fields.locator(".submit-row button[type=submit]").click()
    confirmed(page)


def test_back_closes_the_dialog_in_the_language_chosen(visit: Visit) -> None:
    page = visit("/faq")
    page.locator("header [commandfor=quote-dialog]:visible").click()
    _in_dialog(page, "th")
    page.wait_for_url("**/th/faq")
    expect(page.locator("dialog[open] h2")).to_be_focused()

    page.go_back()

    until(page, "document.querySelector('dialog[open]') === null && location.pathname", "/th/faq")
    until(page, "document.documentElement.lang", "th")

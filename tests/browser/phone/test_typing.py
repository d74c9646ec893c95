"""Typed and pasted text, and the field's reports of it; tests/unit/test_phone_input.py has the engine's tables."""

import re

import pytest
from playwright.sync_api import Page, expect

from components.phone_input import WORDS
from tests.browser.phone.field import Field
from tests.browser.waiting import until
from tests.support.builders import PHONE_PAYLOAD

NUMBER = "+442079460958"


def test_formatting_does_not_use_up_the_maximum_length(page: Page, project_url: str) -> None:
    phone, keys = Field(page, project_url, mode="international", max_length=20), "02079460958x12345678"

    displayed = phone.type(keys)
    phone.input.blur()

    assert displayed == phone.input.input_value() == keys
    assert phone.last_payload(number=NUMBER, ext="12345678")["valid"] is True


@pytest.mark.parametrize("number", [NUMBER, "2133734253"])
def test_an_extension_keeps_its_long_marker_and_maximum_length(number: str, page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="US")

    phone.type(f"{number} ext 1234567890")
    phone.input.blur()

    assert phone.last_payload(ext="1234567890")["valid"] is True
    assert re.search(r"[^\d]ext\.? 1234567890$", phone.input.input_value())


@pytest.mark.parametrize("change", ["typed", "Backspace", "a draft"])
def test_a_number_that_becomes_invalid_loses_its_grouping(change: str, page: Page, project_url: str) -> None:
    """In Thailand 02 123 4567 is a number, and with one more digit it is not."""
    begun = {"default_value": "02 123 4567"} if change == "a draft" else {}
    phone = Field(page, project_url, default_country="TH", **begun)
    if not begun:
        assert phone.type("021234567") == "02 123 4567"
    phone.input.press("End")
    if change == "Backspace":
        phone.input.press("Backspace")
        phone.type("7")

    assert phone.type("89") == "02123456789"
    assert phone.input.evaluate("input => input.selectionStart") == len("02123456789")


def test_choosing_a_country_removes_another_countrys_grouping(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="TH")
    phone.type("021234567")

    phone.open().options.filter(has_text="United Kingdom").click()

    expect(phone.input).to_have_value("021234567")


def test_inserting_a_digit_ungroups_the_number_and_keeps_the_caret(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="TH")
    phone.type("021234567")

    phone.input.evaluate("input => input.setSelectionRange(2, 2)")
    page.keyboard.press("9")

    expect(phone.input).to_have_value("0291234567")
    assert phone.input.evaluate("input => input.selectionStart") == 3


@pytest.mark.parametrize("source", ["Backspace", "outside"])
def test_a_digit_after_a_formatted_number_is_accepted(source, page: Page, project_url: str) -> None:
    formatted = "+44 20 7946 0958 ext. 123"
    phone = Field(page, project_url, **({"default_value": formatted} if source == "outside" else {}))
    if source == "Backspace":
        assert phone.type(f"{NUMBER}x123") == formatted
        phone.input.press("Backspace")
        phone.type("3")
    phone.input.press("End")
    phone.type("4")

    assert phone.last_payload(number=NUMBER, ext="1234")
    assert len(phone.input.input_value()) <= 25


def test_a_pasted_overlong_extension_is_kept_and_reported(page: Page, project_url: str) -> None:
    phone = Field(page, project_url)

    pasted = phone.paste(f"{NUMBER} ext 123456789012345678901")
    phone.input.blur()

    assert pasted == f"{NUMBER} ext 123456789012345678901"
    expect(phone.note).to_have_text(WORDS["extensionTooLong"])
    assert phone.last_payload(verdict="too_long")["valid"] is False
    phone.input.press("End")
    phone.input.press("Backspace")
    assert not phone.input.evaluate("input => input.validity.tooLong")


def test_number_and_extension_are_reported_separately(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="US")

    phone.type("2133734253 ext. 123")

    assert phone.last_payload(ext="123") == PHONE_PAYLOAD
    assert phone.reports("input")[-1] == ["(213) 373-4253 ext. 123", PHONE_PAYLOAD]


def test_a_verdict_comes_at_the_start_and_then_only_when_it_changes(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="US", default_value="2133734253")
    first = phone.last_payload(number="+12133734253")

    phone.input.press("End")
    phone.type(" e")
    phone.await_report('["input", "(213) 373-4253 e"')

    assert phone.reports("verdict") == [[first]]
    assert first["formatted"] == "(213) 373-4253"


def test_an_empty_field_has_no_verdict_and_does_not_block_a_form(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, invalid_text="Not a number")
    phone.await_report('"verdict": null')

    phone.type("12")
    refused = phone.input.evaluate("input => [input.checkValidity(), input.validationMessage]")
    phone.input.fill("")

    assert refused == [False, "Not a number"]
    assert phone.input.evaluate("input => input.checkValidity()")


def test_an_invalid_number_is_explained_on_leaving_the_field(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, invalid_text="Not a number")

    for text, note in {
        "02079": "This number is too short. Please check that no digits are missing.",
        "020 7946 0958 09": "This number is too long. Please check it for extra digits.",
        "+44 2079 4609": "This number has too many or too few digits. Please check it.",
        "+999 1234 5678": "We can’t use a number from this country. Please enter another one.",
        "0999 999 9999": "We don’t recognise this kind of number. Please check it.",
    }.items():
        phone.input.fill("")
        phone.type(text)
        expect(phone.note).to_be_empty()
        phone.input.press("Tab")

        expect(phone.note).to_have_text(note)
        expect(phone.input).to_have_attribute("aria-invalid", "true")


def test_a_number_of_an_unlisted_country_has_no_country(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, only_countries=["TH"])

    phone.type(NUMBER)

    # The verdict comes before the last digit, when no country matches yet.
    verdict = phone.last_payload(verdict="invalid_country", countryCode="GB")
    assert (verdict["valid"], verdict["possible"], verdict["country"]) == (False, False, None)


def test_the_custom_pattern_applies_to_the_whole_text(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="US", custom_pattern="[0-9]{10}")

    phone.type("213 373 4253")
    phone.input.press("Tab")
    expect(phone.note).to_have_text(WORDS["pattern"])
    phone.input.fill("2133734253")

    expect(phone.note).to_have_text(WORDS["weCall"].format(number="+1 213 373 4253", country="United States"))
    expect(phone.input).to_have_value("2133734253")
    phone.await_report('"formatted": "(213) 373-4253", "valid": true')


def test_the_clipboards_own_paste_is_searched_for_its_number(page: Page, project_url: str) -> None:
    phone = Field(page, project_url)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('Tel: +44 (0)20 7946 0958 x12, office hours only')")

    phone.input.focus()
    page.keyboard.press("Control+v")
    expect(phone.input).to_have_value("+44 20 7946 0958 ext. 12")

    phone.input.fill("")
    phone.type("+80012345678")
    expect(phone.note).to_have_text(WORDS["weCallNowhere"].format(number="+800 1234 5678"))  # a number without a country


def test_an_extension_outlives_the_rule_of_valid_characters(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, valid_characters_only=True)

    phone.paste("Tel: +44 (0)20 7946 0958 x12")

    assert phone.last_payload(number=NUMBER)["ext"] == "12"
    sentence = WORDS["weCallExtension"].format(number="+44 20 7946 0958", ext="12", country="United Kingdom")
    expect(phone.note).to_have_text(sentence)


def test_an_edit_in_the_middle_keeps_the_caret(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="US")
    phone.type("213374253")

    phone.input.evaluate("input => input.setSelectionRange(5, 5)")
    page.keyboard.press("3")

    assert phone.input.input_value() == "(213) 373-4253"
    assert phone.input.evaluate("input => input.value.slice(input.selectionStart)") == "4253"
    phone.input.press("Home")
    phone.input.press("Delete")
    expect(phone.input).to_have_value("213) 373-4253")


@pytest.mark.parametrize(
    ("answer", "country", "text"), [("Thailand", "TH", "+66 81 234 5678"), ("United Kingdom", "GB", "+44 812345678")]
)
def test_a_chosen_country_stays_and_the_note_asks_which_is_right(answer, country, text, page: Page, project_url: str) -> None:
    phone = Field(page, project_url)
    phone.open().options.filter(has_text="United Kingdom").click()
    phone.type("+66812345678")
    assert phone.country() == "GB"
    expect(phone.note).to_contain_text(WORDS["disagree"].format(number="Thailand", country="United Kingdom"))

    phone.note.get_by_role("button", name=answer).click()

    assert phone.country() == country
    expect(phone.input).to_have_value(text)
    expect(phone.note.get_by_role("button")).to_have_count(0)
    expect(phone.input).to_be_focused()  # the pressed button is gone


def test_pastes_and_answers_fire_input_events_in_the_form(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, country_name="region")
    phone.open().options.filter(has_text="United Kingdom").click()
    page.evaluate(
        """() => document.querySelector("#specimen").addEventListener("input", ({ target, currentTarget }) => {
            const { telephone, region } = currentTarget.elements;
            (window.heard ??= []).push([target.name, telephone.value, region.value]);
        })"""
    )

    phone.paste("Tel: +66812345678")
    until(page, "window.heard", [["telephone", "+66 81 234 5678", "GB"]])
    phone.note.get_by_role("button", name="Thailand").click()

    until(page, "window.heard.at(-1)", ["telephone", "+66 81 234 5678", "TH"])


def test_focus_blur_enter_and_space_are_reported(page: Page, project_url: str) -> None:
    phone = Field(page, project_url)

    phone.type("1 2")
    phone.input.press("Enter")
    phone.input.press("Tab")
    phone.await_report("blur")

    names = [name for name in ("focus", "space", "enter", "blur") if phone.reports(name) == [[]]]
    assert names == ["focus", "space", "enter", "blur"]


def test_a_form_sends_the_typed_text_with_its_country_and_is_reset(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, default_country="US", country_name="region")

    phone.type("2133734253 ext. 123")
    page.get_by_role("button", name="Send").click()
    sent = '{"telephone": "(213) 373-4253 ext. 123", "region": "US"'
    expect(page.locator("#sent")).to_contain_text(sent)

    page.get_by_role("button", name="Reset").click()
    expect(phone.input).to_have_value("")
    expect(phone.note).to_be_empty()


def test_a_draft_can_be_put_back_by_a_script(page: Page, project_url: str) -> None:
    phone = Field(page, project_url, country_name="region")

    page.evaluate(
        """() => {
            const put = (field, value) => {
                Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, value);
                field.dispatchEvent(new Event("input", { bubbles: true }));
            };
            const { elements } = document.querySelector("#specimen");
            put(elements.region, "US");
            put(elements.telephone, "2133734253");
        }"""
    )

    expect(phone.input).to_have_value("(213) 373-4253")
    assert phone.country() == "US"

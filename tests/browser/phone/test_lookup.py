"""Which country stands in the field before anybody has said one."""

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, Route, expect

from tests.browser.phone.conftest import Field
from tests.browser.waiting import until_true

THAILAND = "1;TH;THA;Thailand"  # codespell:ignore tha


def answer(page: Page, text: str, status: int = 200) -> list[Request]:
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if request.url.endswith("/where") else None)
    page.route("**/where", lambda route: route.fulfill(body=text, status=status, content_type="text/plain"))
    return asked


@pytest.mark.parametrize(
    ("options", "country", "questions"),
    [
        ({}, "TH", [("GET", None)]),
        ({"default_value": "+4930123456", "default_country": "FR"}, "DE", []),
    ],
)
def test_the_first_country_comes_from_number_default_and_lookup(options, country, questions, page: Page, address: str):
    asked = answer(page, THAILAND)

    assert Field(page, address, lookup_url="/where", **options).country() == country
    assert [(request.method, request.post_data) for request in asked] == questions


def test_a_failed_lookup_shows_the_first_preferred_country_and_never_afghanistan(page: Page, address: str):
    warnings: list[ConsoleMessage] = []
    page.on("console", lambda message: warnings.append(message) if message.type == "warning" else None)
    answer(page, "0;;;")

    phone = Field(page, address, lookup_url="/where")

    assert phone.country() == "GB"
    assert [warning.text for warning in warnings] == ["unable to fetch the country"]
    assert [country["iso2"] for (country,) in phone.reports("country")] in ([], ["GB"])
    expect(phone.note).to_be_empty()


def test_a_country_that_cannot_be_chosen_is_a_failed_lookup(page: Page, address: str):
    warnings: list[ConsoleMessage] = []
    page.on("console", lambda message: warnings.append(message) if message.type == "warning" else None)
    answer(page, THAILAND)

    assert Field(page, address, lookup_url="/where", only_countries=["US", "FR"]).country() == "US"
    assert [warning.text for warning in warnings] == ["unable to fetch the country"]


def test_a_lookup_that_never_answers_is_a_failed_one(page: Page, address: str):
    page.route("**/where", lambda route: None)

    assert Field(page, address, lookup_url="/where").country() == "GB"


def test_a_number_typed_while_the_question_is_open_is_judged_by_its_answer(page: Page, address: str):
    held: list[Route] = []
    page.route("**/where", lambda route: held.append(route))
    phone = Field(page, address, lookup_url="/where")

    phone.type("0812345678")
    until_true(page, lambda: held)
    held[0].fulfill(body=THAILAND, content_type="text/plain")

    expect(phone.input).to_have_value("081 234 5678")


def test_a_choice_by_hand_is_not_overridden_by_a_late_answer(page: Page, address: str):
    held: list[Route] = []
    page.route("**/where", lambda route: held.append(route))
    phone = Field(page, address, lookup_url="/where")

    phone.open().options.filter(has_text="China").first.click()
    until_true(page, lambda: held)
    held[0].fulfill(body=THAILAND, content_type="text/plain")
    phone.type("1")

    assert phone.country() == "CN"


def test_a_number_that_says_its_country_is_not_overridden_by_a_late_answer(page: Page, address: str):
    held: list[Route] = []
    page.route("**/where", lambda route: held.append(route))
    phone = Field(page, address, lookup_url="/where")

    phone.type("+86")
    until_true(page, lambda: held)
    held[0].fulfill(body=THAILAND, content_type="text/plain")
    phone.type("1")

    assert phone.country() == "CN"

"""The initial country of the field."""

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, expect

from tests.browser.held_requests import hold
from tests.browser.phone.field import Field

THAILAND = "1;TH;THA;Thailand"  # codespell:ignore tha


def serve_lookup(page: Page, text: str, status: int = 200) -> list[Request]:
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request) if request.url.endswith("/where") else None)
    page.route("**/where", lambda route: route.fulfill(body=text, status=status, content_type="text/plain"))
    return requests


@pytest.mark.parametrize(
    ("options", "country", "expected"),
    [
        ({}, "TH", [("GET", None)]),
        ({"default_value": "+4930123456", "default_country": "FR"}, "DE", []),
    ],
)
def test_the_first_country_comes_from_number_default_and_lookup(
    options, country, expected, page: Page, project_url: str
) -> None:
    requests = serve_lookup(page, THAILAND)

    assert Field(page, project_url, lookup_url="/where", **options).country() == country
    assert [(request.method, request.post_data) for request in requests] == expected


@pytest.mark.parametrize(
    ("body", "options", "country"),
    [("0;;;", {}, "GB"), (THAILAND, {"only_countries": ["US", "FR"]}, "US")],
    ids=["failed", "not offered"],
)
def test_a_failed_lookup_shows_the_first_preferred_country_and_never_afghanistan(
    body: str, options: dict, country: str, page: Page, project_url: str
) -> None:
    warnings: list[ConsoleMessage] = []
    page.on("console", lambda message: warnings.append(message) if message.type == "warning" else None)
    serve_lookup(page, body)

    phone = Field(page, project_url, lookup_url="/where", **options)

    assert phone.country() == country
    assert [warning.text for warning in warnings] == ["unable to fetch the country"]
    assert [report["iso2"] for (report,) in phone.reports("country")] in ([], [country])
    expect(phone.note).to_be_empty()


def test_a_silent_lookup_counts_as_failed(page: Page, project_url: str) -> None:
    page.route("**/where", lambda route: None)

    assert Field(page, project_url, lookup_url="/where").country() == "GB"


@pytest.mark.parametrize(
    ("typed", "text", "country"),
    [("0812345678", "081 234 5678", "TH"), ("+86", "+86", "CN"), ("", "", "CN")],
    ids=["a number", "+86", "by hand"],
)
def test_a_late_lookup_applies_to_typed_text_and_overrides_no_chosen_country(
    typed: str, text: str, country: str, page: Page, project_url: str
) -> None:
    requests = hold(page, "**/where")
    phone = Field(page, project_url, lookup_url="/where")

    if typed:
        phone.type(typed)
    else:
        phone.open().options.filter(has_text="China").first.click()
    requests.wait_for_first()
    requests.routes[0].fulfill(body=THAILAND, content_type="text/plain")

    expect(phone.input).to_have_value(text)
    phone.type("1")
    assert phone.country() == country

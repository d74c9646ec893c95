"""What a visitor cannot see or correct never stops a form: it is left out, renewed, or goes the next way."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.booking.calls import book, choose, confirmed, fill, hold
from tests.browser.conftest import hydrated
from tests.browser.forms.filling import CONTACT, CONTACT_PAGE, leads, reference, result, since
from tests.browser.server import Site
from tests.browser.waiting import pass_time, stop_clock

Visit = Callable[..., Page]
_BROWSERS_OWN = ("Failed to load resource", "did not answer")
_TOLD_WITHIN_MS = 30_000


def refuses_tokens(page: Page, how: str) -> None:
    def answer(route: Route) -> None:
        if how == "garbage":
            route.fulfill(status=200, body="<html>")
        elif how == "null":
            route.fulfill(status=200, body='{"token": null}')
        elif how != "silent":
            route.fulfill(status=int(how), body="{}")

    page.route("**/v1.0/formToken", answer)


@pytest.mark.parametrize("how", ["null", "silent"])
def test_no_token_still_is_a_lead(site: Site, visit: Visit, how: str) -> None:
    form, before = CONTACT, leads(site)
    page = visit("/faq", allowed=_BROWSERS_OWN)
    refuses_tokens(page, how)
    page.goto(site.url + form.path)
    hydrated(page)
    form.fill(form.on(page))

    form.button(page).click()

    assert [reference(page)] == since(before, site)


def test_no_token_still_is_a_call(doubtful_site: Site, visit: Visit) -> None:
    site = doubtful_site
    page = visit("/faq", on=site, allowed=_BROWSERS_OWN)
    refuses_tokens(page, "404")
    page.goto(site.url + "/?open=consultation")
    choose(page)
    hold(page)
    fill(page)

    book(page)

    confirmed(page)


def test_a_call_that_is_booked_in_a_moment_goes_again_by_itself(doubtful_site: Site, visit: Visit) -> None:
    """The whole form within the least time: the provider asks for it again, the visitor hears nothing of that."""
    page = visit("/?open=consultation", on=doubtful_site, joined=True)
    choose(page)
    hold(page)
    fill(page)
    page.evaluate("document.querySelector('#consultation-form [name=website_url]').value = 'filled in by a browser'")

    book(page)

    confirmed(page)


@pytest.mark.parametrize("socket", [True, False])
def test_a_key_that_is_none_is_renewed(site: Site, visit: Visit, socket: bool) -> None:
    before = leads(site)
    page = visit("/contact-us", joined=True, allowed=_BROWSERS_OWN)
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    page.evaluate("""() => {
      const draft = JSON.parse(sessionStorage['draft:message']);
      sessionStorage['draft:message'] = JSON.stringify({ ...draft, key: 'none' });
    }""")
    if not socket:
        page.context.route_web_socket("**/_event**", lambda line: line.close())
    page.reload()
    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("Ada Lovelace")

    stop_clock(page)
    CONTACT_PAGE.button(page).click()
    pass_time(page, lambda: result(page).is_visible(), within_ms=20_000)

    assert [reference(page)] == since(before, site)


def test_an_old_token_is_renewed_before_it_is_sent(site: Site, visit: Visit) -> None:
    page = visit("/contact-us", joined=True)
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    page.evaluate("""() => {
      const draft = JSON.parse(sessionStorage['draft:message']);
      sessionStorage['draft:message'] = JSON.stringify({ ...draft, opened: Date.now() - 8 * 86400000 });
    }""")
    page.reload()
    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("Ada Lovelace")
    with page.expect_response("**/v1.0/formToken"):
        CONTACT_PAGE.button(page).click()

    reference(page, within=20_000)


def test_a_refusal_of_what_nobody_sees_ends_in_a_message_with_try_again(site: Site, visit: Visit) -> None:
    before = leads(site)
    page = visit("/faq", wait=False, allowed=("WebSocket", *_BROWSERS_OWN))
    page.context.route_web_socket("**/_event**", lambda line: line.close())
    refused: list[Route] = []

    def refuse(route: Route) -> None:
        refused.append(route)
        error = {"code": "invalid", "message": "Please check the marked fields", "fields": {"page": "no page"}}
        route.fulfill(status=422, body=json.dumps({"error": error}))

    page.route("**/v1.0/sendMessage", refuse)
    page.goto(site.url + "/contact-us")
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    stop_clock(page)
    CONTACT_PAGE.button(page).click()
    again = page.locator(".snackbar-action")
    pass_time(page, again.is_visible, within_ms=_TOLD_WITHIN_MS)
    page.unroute("**/v1.0/sendMessage")

    again.click()
    pass_time(page, lambda: result(page).is_visible(), within_ms=_TOLD_WITHIN_MS)

    assert [reference(page)] == since(before, site)
    assert len(refused) == 1


def test_a_provider_that_never_likes_the_sender_is_not_asked_for_ever(site: Site, visit: Visit) -> None:
    page = visit("/faq", wait=False, allowed=("WebSocket", *_BROWSERS_OWN))
    page.context.route_web_socket("**/_event**", lambda line: line.close())
    asked: list[Route] = []

    def refuse(route: Route) -> None:
        asked.append(route)
        error = {"code": "looks_automatic", "message": "Send it again", "fields": {}}
        route.fulfill(status=422, body=json.dumps({"error": error}))

    page.route("**/v1.0/sendMessage", refuse)
    page.goto(site.url + "/contact-us")
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    stop_clock(page)
    CONTACT_PAGE.button(page).click()

    pass_time(page, lambda: page.locator(".form-trouble").is_visible(), within_ms=60_000)

    assert 2 <= len(asked) <= 5
    expect(page.locator(".snackbar-action")).to_be_visible()

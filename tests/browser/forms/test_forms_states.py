"""axe on every form, in every state it can be in."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.away import AWAY
from tests.browser.axe import findings
from tests.browser.forms.filling import AFFILIATE, CONTACT, QUOTE, Form, reference
from tests.browser.server import Site
from tests.browser.waiting import pass_time, stop_clock

Visit = Callable[..., Page]


@pytest.mark.parametrize("form", [QUOTE, AFFILIATE], ids=lambda form: form.id)
def test_axe_finds_nothing_in_an_empty_a_wrong_and_a_sent_form(visit: Visit, form: Form) -> None:
    """Of a form in a dialog, in the dark, and of one on a page; between them they have every kind of field."""
    page = visit(form.path, dark=form is QUOTE)
    expect(form.button(page)).to_be_visible()
    assert findings(page) == []

    form.button(page).click()
    expect(form.on(page).locator(".field-error")).to_have_count(len(form.required))
    assert findings(page) == []

    form.fill(form.on(page))
    form.button(page).click()
    reference(page)
    assert findings(page) == []


def test_axe_finds_nothing_while_a_form_is_being_sent_and_when_it_fails(visit: Visit, site: Site) -> None:
    page = visit("/faq", wait=False, allowed=AWAY)
    page.context.route_web_socket("**/_event**", lambda socket: socket.close())
    page.route("**/v1.0/sendMessage", lambda route: None)  # never answered
    page.goto(site.url + CONTACT.path)
    CONTACT.fill(CONTACT.on(page))
    stop_clock(page)

    CONTACT.button(page).click()
    pass_time(page, lambda: page.locator(".submit-status:not(:empty)").is_visible())
    page.clock.resume()  # for axe
    assert findings(page) == []
    stop_clock(page)

    pass_time(page, lambda: page.locator(".form-trouble").is_visible(), within_ms=20_000)
    page.clock.resume()
    assert findings(page) == []

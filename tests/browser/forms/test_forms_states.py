"""axe on every form, in every state it can be in."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.away import AWAY, arrived
from tests.browser.axe import findings
from tests.browser.forms.filling import FORMS, Form, reference
from tests.browser.server import Site

Visit = Callable[..., Page]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.id)


@every_form
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_an_empty_a_wrong_and_a_sent_form(visit: Visit, form: Form, dark: bool) -> None:
    page = visit(form.path, dark=dark)
    expect(form.button(page)).to_be_visible()
    assert findings(page) == []

    form.button(page).click()
    expect(form.on(page).get_by_text(form.required[0], exact=True)).to_be_visible()
    assert findings(page) == []

    form.fill(form.on(page))
    form.button(page).click()
    reference(page)
    assert findings(page) == []


@every_form
def test_axe_finds_nothing_while_a_form_is_being_sent_and_when_it_fails(mortal_site: Site, visit: Visit, form: Form) -> None:
    page = visit(form.path, allowed=AWAY, joined=True)
    form.fill(form.on(page))
    arrived(page)
    mortal_site.kill()

    form.button(page).click()
    expect(form.on(page).get_by_text("We are still sending")).to_be_visible()
    assert findings(page) == []

    expect(form.on(page).get_by_role("alert")).to_contain_text("Network Error", timeout=10_000)
    assert findings(page) == []

"""A problem that a visitor cannot see or correct never stops a form: the value is left out, renewed, or sent another way."""

from playwright.sync_api import Route, expect

from tests.browser.booking.steps import book, confirmed, reserve
from tests.browser.forms.filling import CONTACT, CONTACT_PAGE, clear_button, leads, new_leads, reference, result
from tests.browser.held_requests import hold
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import pass_time, stop_clock
from tests.support.site_server import Site

_BROWSERS_OWN = ("Failed to load resource", "did not answer")
_TOLD_WITHIN_MS = 30_000


def test_a_form_without_a_token_makes_a_lead(site: Site, visit: Visit) -> None:
    form, leads_before = CONTACT, leads(site)
    page = visit("/faq", allowed=_BROWSERS_OWN)
    page.route("**/v1.0/formToken", lambda route: None)  # never answered
    page.goto(site.url + form.path)
    hydrated(page)
    form.fill(form.on(page))

    form.button(page).click()

    assert [reference(page)] == new_leads(leads_before, site)


def test_a_booking_without_a_token_makes_a_meeting(doubtful_site: Site, visit: Visit) -> None:
    site = doubtful_site
    page = visit("/faq", on=site, allowed=_BROWSERS_OWN)
    page.route("**/v1.0/formToken", lambda route: route.fulfill(status=404, body="{}"))
    page.goto(site.url + "/?open=consultation")
    reserve(page)

    book(page)

    confirmed(page)


def test_a_booking_sent_too_fast_is_resent_automatically(doubtful_site: Site, visit: Visit) -> None:
    """The form is filled in within the minimum time: the provider asks for it again, unnoticed by the visitor."""
    page = visit("/?open=consultation", on=doubtful_site, joined=True)
    reserve(page)
    page.evaluate("document.querySelector('#consultation-form [name=website_url]').value = 'filled in by a browser'")

    book(page)

    confirmed(page)


def test_an_invalid_key_and_an_old_token_are_renewed(site: Site, visit: Visit) -> None:
    leads_before = leads(site)
    page = CONTACT_PAGE.filled(visit, joined=True, allowed=_BROWSERS_OWN)
    page.evaluate("""() => {
      const draft = JSON.parse(sessionStorage['draft:message']);
      sessionStorage['draft:message'] = JSON.stringify({ ...draft, key: 'none', opened: Date.now() - 8 * 86400000 });
    }""")
    page.reload()
    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("Ada Lovelace")

    stop_clock(page)
    with page.expect_response("**/v1.0/formToken"):
        CONTACT_PAGE.button(page).click()
        pass_time(page, lambda: result(page).is_visible(), within_ms=20_000)

    assert [reference(page)] == new_leads(leads_before, site)


def test_a_refusal_of_hidden_values_ends_in_try_again_after_a_few_retries(site: Site, visit: Visit) -> None:
    leads_before = leads(site)
    page = visit("/contact-us", socket=False, allowed=_BROWSERS_OWN)
    requests: list[Route] = []
    refusal = {"code": "looks_automatic", "message": "Send it again", "fields": {}}

    def refuse(route: Route) -> None:
        requests.append(route)
        route.fulfill(status=422, json={"error": refusal})

    page.route("**/v1.0/sendMessage", refuse)
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    stop_clock(page)
    CONTACT_PAGE.button(page).click()
    trouble, try_again = page.locator(".form-trouble"), page.locator(".snackbar-action")
    pass_time(page, lambda: len(requests) > 1, within_ms=60_000)  # in small steps, so that a request can be answered
    pass_time(page, trouble.is_visible, within_ms=60_000)
    assert 2 <= len(requests) <= 5

    refusal |= {"code": "invalid", "fields": {"page": "no page"}}
    requests.clear()
    try_again.click()
    expect(trouble).to_have_count(0)
    pass_time(page, try_again.is_visible, within_ms=_TOLD_WITHIN_MS)
    assert len(requests) == 1
    page.clock.run_for(3_000)  # longer than an answer may take before the form says that sending is slow
    expect(CONTACT_PAGE.on(page)).to_have_attribute("data-stage", "failed")

    page.unroute("**/v1.0/sendMessage")
    try_again.click()
    pass_time(page, lambda: result(page).is_visible(), within_ms=_TOLD_WITHIN_MS)
    assert [reference(page)] == new_leads(leads_before, site)


def test_a_form_that_is_cleared_while_a_refusal_is_repaired_is_not_sent(site: Site, visit: Visit) -> None:
    leads_before = leads(site)
    page = visit("/contact-us", socket=False, allowed=_BROWSERS_OWN)
    sent: list[Route] = []
    refusal = {"code": "looks_automatic", "message": "Send it again", "fields": {}}

    def refuse(route: Route) -> None:
        sent.append(route)
        route.fulfill(status=422, json={"error": refusal})

    page.route("**/v1.0/sendMessage", refuse)
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    stop_clock(page)
    token_requests = hold(page, "**/v1.0/formToken")
    CONTACT_PAGE.button(page).click()
    pass_time(page, lambda: token_requests.routes, within_ms=20_000)
    clear_button(page).click()
    token_requests.release()
    page.unroute("**/v1.0/sendMessage")
    page.clock.run_for(30_000)

    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("")
    assert len(sent) == 1
    assert new_leads(leads_before, site) == []

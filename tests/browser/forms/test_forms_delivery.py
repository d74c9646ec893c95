"""A click makes one lead and shows a message, even if the connection fails before the reply."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.away import AWAY, arrived
from tests.browser.black_hole import BlackHole
from tests.browser.forms.filling import (
    AFFILIATE,
    CONTACT,
    CONTACT_PAGE,
    QUOTE,
    Form,
    clear_button,
    leads,
    new_leads,
    reference,
    result,
    stored_value,
)
from tests.browser.held_requests import hold
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import pass_time, sent_frames, show_message, stop_clock, until, until_true, wait_for_page
from tests.support.site_server import Site

TOLD_WITHIN_MS = 10_000


def _failed_to_send(site_behind_hole: tuple[Site, BlackHole], visit: Visit) -> Page:
    """Sends the contact form into the hole, and returns the page when it says that sending failed; its clock stands still."""
    site, hole = site_behind_hole
    page = CONTACT_PAGE.filled(visit, on=site, allowed=AWAY, joined=True)
    arrived(page)
    hole.holding = "everything"
    stop_clock(page)
    CONTACT_PAGE.button(page).click()
    pass_time(page, lambda: page.locator(".form-trouble").is_visible())
    return page


def test_over_a_dead_socket_a_form_arrives_by_http(site_behind_hole: tuple[Site, BlackHole], visit: Visit) -> None:
    (site, hole), form = site_behind_hole, QUOTE
    leads_before = leads(site)
    page = form.filled(visit, on=site, joined=True)
    hole.holding = "sockets"
    stop_clock(page)

    form.button(page).click()
    pass_time(page, lambda: form.on(page).locator(".submit-status:not(:empty)").or_(result(page)).is_visible())
    pass_time(page, lambda: result(page).is_visible())

    assert [reference(page)] == new_leads(leads_before, site)
    hole.holding = "nothing"  # the held event arrives now
    page.clock.resume()
    expect(page.locator(".snackbar-success")).to_be_visible()
    assert [reference(page)] == new_leads(leads_before, site)


def test_without_a_socket_a_form_is_sent_by_http_at_once(site_behind_hole: tuple[Site, BlackHole], visit: Visit) -> None:
    site, hole = site_behind_hole
    hole.refusing = True
    leads_before = leads(site)
    page = CONTACT_PAGE.filled(visit, on=site, allowed=AWAY)
    until_true(page, lambda: hole.refused >= 2)  # the page knows of the first once the second is refused
    stop_clock(page)

    CONTACT_PAGE.button(page).click()
    until_true(page, lambda: page.clock.run_for(1) or result(page).is_visible())  # within a second of page time

    assert [reference(page)] == new_leads(leads_before, site)


def test_a_lost_network_is_reported_and_the_submission_arrives_once_it_is_back(
    site_behind_hole: tuple[Site, BlackHole], visit: Visit
) -> None:
    site, hole = site_behind_hole
    leads_before = leads(site)
    page = _failed_to_send(site_behind_hole, visit)

    expect(page.locator(".snackbar-error")).to_be_visible()
    expect(CONTACT_PAGE.field(page, "message")).not_to_have_value("")
    hole.holding = "nothing"
    page.clock.resume()
    assert [reference(page)] == new_leads(leads_before, site)
    expect(page.locator(".snackbar-error, .form-trouble")).to_have_count(0)


def test_words_added_after_a_failure_are_kept_when_a_late_reply_says_that_the_form_was_sent(
    site_behind_hole: tuple[Site, BlackHole], visit: Visit
) -> None:
    page = _failed_to_send(site_behind_hole, visit)
    _, hole = site_behind_hole

    CONTACT_PAGE.field(page, "message").fill("Do you write programs? One more thing: by March.")
    hole.holding = "nothing"
    page.clock.resume()
    expect(result(page)).to_be_visible()
    result(page).get_by_role("button").last.click()

    expect(CONTACT_PAGE.field(page, "message")).to_have_value("Do you write programs? One more thing: by March.")
    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("Ada Lovelace")


def test_a_form_cleared_after_a_lost_reply_and_restored_makes_one_lead(
    site_behind_hole: tuple[Site, BlackHole], visit: Visit
) -> None:
    site, hole = site_behind_hole
    leads_before = leads(site)
    page = CONTACT_PAGE.filled(visit, on=site, allowed=AWAY, joined=True)
    arrived(page)
    hole.holding = "answers"
    CONTACT_PAGE.button(page).click()
    until_true(page, lambda: len(new_leads(leads_before, site)) == 1)

    clear_button(page).click()
    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("")
    page.locator(".snackbar-action").click()
    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("Ada Lovelace")
    hole.pass_everything()
    CONTACT_PAGE.button(page).click()

    assert [reference(page)] == new_leads(leads_before, site)


def test_a_late_refusal_takes_the_message_about_the_network_away(
    site_behind_hole: tuple[Site, BlackHole], visit: Visit
) -> None:
    site, hole = site_behind_hole
    hole.refusing = True
    page = CONTACT_PAGE.filled(visit, on=site, allowed=(*AWAY, "422"))
    until_true(page, lambda: hole.refused >= 2)
    requests: list[Route] = []
    page.route("**/v1.0/sendMessage", lambda route: requests.append(route))
    stop_clock(page)
    CONTACT_PAGE.button(page).click()
    pass_time(page, lambda: page.locator(".snackbar-error").is_visible())

    error = {"code": "invalid", "message": "", "fields": {"email": "Email address invalid"}}
    requests[-1].fulfill(status=422, json={"error": error})

    expect(CONTACT_PAGE.on(page).get_by_text("Email address invalid")).to_be_visible()
    expect(page.locator(".snackbar-error")).to_have_count(0)


def test_a_server_killed_between_click_and_answer_makes_one_lead(stoppable_site: Site, visit: Visit) -> None:
    form, leads_before = CONTACT_PAGE, leads(stoppable_site)
    page = form.filled(visit, allowed=(*AWAY, "formToken did not answer"), joined=True)
    arrived(page)

    form.button(page).click(no_wait_after=True)
    stoppable_site.kill()
    stoppable_site.start()

    expect(result(page).or_(form.on(page).locator(".form-trouble")).first).to_be_visible(timeout=TOLD_WITHIN_MS)
    if not result(page).is_visible():  # the server's start took longer than the form's own retries
        page.evaluate("id => document.getElementById(id)?.requestSubmit()", form.id)  # unless a reply has just come
    assert [reference(page, within_ms=20_000)] == new_leads(leads_before, stoppable_site)


def test_a_server_that_stays_away_is_a_network_error_and_nothing_typed_is_lost(stoppable_site: Site, visit: Visit) -> None:
    leads_before = leads(stoppable_site)
    page = QUOTE.filled(visit, allowed=AWAY, joined=True)
    arrived(page)
    stoppable_site.kill()
    stop_clock(page)

    QUOTE.button(page).click()

    try_again = page.locator(".snackbar-error .snackbar-action")
    pass_time(page, try_again.is_visible)
    expect(QUOTE.field(page, "full_name")).to_have_value("Ada Lovelace")
    stoppable_site.start()
    page.clock.resume()
    try_again.click()
    assert [reference(page)] == new_leads(leads_before, stoppable_site)


def test_typing_before_the_token_arrives_does_not_lose_it(doubtful_site: Site, visit: Visit) -> None:
    site = doubtful_site
    page = visit("/", on=site)
    token_requests = hold(page, "**/v1.0/formToken")
    page.locator("footer a[href='/contact-us']").first.click()
    wait_for_page(page, "/contact-us")
    token_requests.wait_for_first()
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    token_requests.release()
    page.wait_for_timeout(1500)  # a little more than the minimum filling time

    CONTACT_PAGE.button(page).click()

    assert stored_value(site, "status", reference(page)) == "new"


def test_a_failed_form_can_be_sent_again_from_another_page(site_behind_hole: tuple[Site, BlackHole], visit: Visit) -> None:
    site, hole = site_behind_hole
    hole.refusing = True
    leads_before = leads(site)
    page = CONTACT_PAGE.filled(visit, on=site, allowed=AWAY)
    page.route("**/v1.0/sendMessage", lambda route: route.abort())
    stop_clock(page)
    CONTACT_PAGE.button(page).click()
    try_again = page.locator(".snackbar-error .snackbar-action")
    pass_time(page, try_again.is_visible)
    page.clock.resume()
    page.locator("footer a[href='/faq']").first.click()
    wait_for_page(page, "/faq")
    page.unroute("**/v1.0/sendMessage")

    try_again.click()

    expect(page.locator(".snackbar-success")).to_be_visible()
    assert len(new_leads(leads_before, site)) == 1


def test_a_form_waits_for_retry_after_and_reports_a_long_wait(site_behind_hole: tuple[Site, BlackHole], visit: Visit) -> None:
    site, hole = site_behind_hole
    hole.refusing = True
    page = CONTACT_PAGE.filled(visit, on=site, allowed=(*AWAY, "429"))
    until_true(page, lambda: hole.refused >= 2)
    request_times: list[float] = []

    def refuse(route: Route) -> None:
        request_times.append(page.evaluate("Date.now()"))
        error = {"code": "too_many", "message": "Please wait ten minutes", "fields": {}}
        wait = "2" if len(request_times) == 1 else "600"
        route.fulfill(status=429, headers={"Retry-After": wait}, json={"error": error})

    page.route("**/v1.0/sendMessage", refuse)
    stop_clock(page)
    CONTACT_PAGE.button(page).click()

    pass_time(page, CONTACT_PAGE.on(page).get_by_text("Please wait ten minutes").is_visible)
    assert len(request_times) == 2
    assert request_times[1] - request_times[0] >= 2000


@pytest.mark.parametrize(("subject", "lead_count"), [("", 1), ("Another question", 2)], ids=["the same", "other words"])
def test_a_form_sent_from_two_tabs_makes_one_lead_unless_its_words_differ(
    site: Site, visit: Visit, subject: str, lead_count: int
) -> None:
    leads_before = leads(site)
    page = CONTACT_PAGE.filled(visit)

    with page.context.expect_page() as page_info:
        page.evaluate("open(location.href)")  # like a duplicated tab: with a copy of the session's storage
    twin = page_info.value
    expect(CONTACT_PAGE.field(twin, "full_name")).to_have_value("Ada Lovelace")
    if subject:
        CONTACT_PAGE.field(twin, "subject").fill(subject)

    CONTACT_PAGE.button(page).click()
    if subject:
        reference(page)
    CONTACT_PAGE.button(twin).click()

    assert {reference(page), reference(twin)} == {*new_leads(leads_before, site)}
    assert len(new_leads(leads_before, site)) == lead_count


def test_a_double_press_and_a_reload_after_it_make_one_lead(site: Site, visit: Visit) -> None:
    form, leads_before = AFFILIATE, leads(site)
    page = form.filled(visit)

    form.button(page).dblclick()
    number = reference(page)
    assert new_leads(leads_before, site) == [number]

    page.goto(site.url + form.path)
    expect(form.on(page)).to_be_visible()
    arrived(page)  # includes a repeated submission, if there were one

    assert new_leads(leads_before, site) == [number]


@pytest.mark.parametrize("form", [CONTACT_PAGE, CONTACT], ids=["on a page", "in a dialog"])
def test_a_reload_before_the_answer_goes_on_with_the_same_submission(
    site_behind_hole: tuple[Site, BlackHole], visit: Visit, form: Form
) -> None:
    site, hole = site_behind_hole
    leads_before = leads(site)
    page = form.filled(visit, on=site, joined=True)
    hole.holding = "sockets"
    form.button(page).click()
    until(page, "JSON.parse(sessionStorage['draft:message']).sending")

    page.reload()  # while the hole still holds: a reply would end the submission before the reload
    hole.holding = "nothing"
    number = reference(page)

    assert new_leads(leads_before, site) == [number]


def test_input_survives_a_restart_of_the_server(stoppable_site: Site, visit: Visit) -> None:
    page = QUOTE.filled(visit, allowed=AWAY)
    arrived(page)

    stoppable_site.stop()
    stoppable_site.start()
    page.reload()
    hydrated(page)
    page.evaluate("document.querySelector('dialog[data-name=quote]').showModal()")

    expect(QUOTE.field(page, "full_name")).to_have_value("Ada Lovelace")
    expect(QUOTE.field(page, "services")).to_be_checked()
    expect(QUOTE.field(page, "project_description")).not_to_have_value("")


def test_nothing_typed_leaves_the_device_before_it_is_sent(visit: Visit) -> None:
    page = visit("/", wait=True)
    frames, posted = sent_frames(page), []
    page.on("request", lambda request: posted.append(request.post_data or ""))
    page.reload()
    hydrated(page)
    page.evaluate("document.querySelector('dialog[data-name=quote]').showModal()")

    QUOTE.fill(QUOTE.on(page))
    QUOTE.on(page).locator("input[type=file]").set_input_files(
        [{"name": "secret.txt", "mimeType": "text/plain", "buffer": b"Ada"}]
    )
    expect(page.get_by_text("secret.txt", exact=True)).to_be_visible()

    assert not [text for text in (*frames, *posted) if "Ada" in text or "secret" in text or "weaves" in text]


def test_a_cleared_form_is_empty_and_focused_without_errors_and_can_be_restored(visit: Visit) -> None:
    page = CONTACT_PAGE.filled(visit)
    show_message(page, type="error", text="Network Error")
    expect(page.get_by_role("alert")).to_contain_text("Network Error")

    clear_button(page).click()
    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("")
    expect(page.locator(".snackbar-error")).to_have_count(0)
    until(page, "!!document.activeElement.closest('form')")
    until(page, "JSON.parse(sessionStorage['draft:message'] ?? '{}').fields ?? null", None)
    page.locator(".snackbar-action").click()

    expect(CONTACT_PAGE.field(page, "full_name")).to_have_value("Ada Lovelace")

"""A page that is only read: its requests, its behaviour without React, and the start of React."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import findings
from tests.browser.forms.filling import CONTACT_PAGE, reference, stored_value
from tests.browser.held_requests import hold
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import HYDRATED, LISTENING, REACT, until, until_true
from tests.support.site_server import Site


def _requested_urls(page: Page) -> list[str]:
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.on("websocket", lambda socket: urls.append(socket.url))
    return urls


def _react(urls: list[str]) -> list[str]:
    return [url for url in urls if REACT.search(url) or url.startswith("ws")]


def _read(page: Page) -> None:
    """Scrolls to the end, moves the pointer, presses keys that write nothing."""
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    page.mouse.move(300, 300)
    page.mouse.wheel(0, -400)
    page.keyboard.press("PageUp")


def test_reading_fetches_no_react_and_a_pointer_over_a_control_fetches_it_without_running_it(visit: Visit) -> None:
    page = visit("/", wait=False)
    urls = _requested_urls(page)
    until(page, LISTENING)

    _read(page)
    page.wait_for_timeout(1500)
    assert not _react(urls)

    page.locator("main [commandfor=quote-dialog]").first.hover()
    until_true(page, lambda: any("/assets/react-" in url for url in urls))
    page.wait_for_timeout(1500)
    assert page.evaluate(f"['__reactRouterContext' in window, {HYDRATED}]") == [False, False]
    assert page.locator("link[rel=modulepreload]").first.get_attribute("fetchpriority") == "low"
    assert not [url for url in urls if url.startswith("ws")]


def test_a_finger_fetches_react_at_high_priority(visit: Visit) -> None:
    page = visit("/", wait=False, width=360, has_touch=True, is_mobile=True)
    until(page, LISTENING)

    page.locator("main [commandfor=quote-dialog]").first.tap()

    assert page.locator("link[rel=modulepreload]").first.get_attribute("fetchpriority") == "high"


def test_the_pages_script_is_requested_after_the_first_paint(visit: Visit) -> None:
    page = visit("/faq", wait=False)

    until(page, "typeof window.insights", "function")
    requested_at, painted_at = page.evaluate(
        """[performance.getEntriesByType("resource").find(({ name }) => name.includes("/assets/page-")),
            performance.getEntriesByName("first-paint")[0]].map(({ startTime }) => startTime)"""
    )
    assert requested_at >= painted_at


def test_a_press_is_carried_out_when_the_pages_script_arrives_after_a_lost_connection(visit: Visit) -> None:
    page = visit("/company/about-us", wait=False, allowed=("ERR_FAILED", "Failed to fetch dynamically"))
    page.route("**/assets/page-*.js", lambda route: route.abort(), times=2)
    page.goto(page.url.replace("/company/about-us", "/"))

    page.locator("main [commandfor=quote-dialog]:visible").first.click()

    expect(page.get_by_role("dialog").locator("[name=full_name]")).to_be_visible()


def test_nothing_is_prefetched_on_metered_connections(visit: Visit) -> None:
    pages = []
    for path, line in (("/company/affiliate-program", "{ saveData: true }"), ("/th", "{ effectiveType: '2g' }")):
        page = visit(path, wait=False, script=f"Object.defineProperty(navigator, 'connection', {{ value: {line} }})")
        pages.append((page, _requested_urls(page)))

    for page, _ in pages:
        until(page, "typeof window.insights", "function")
        _read(page)
    pages[-1][0].wait_for_timeout(1000)  # React would be requested in this time

    assert [_react(urls) for _, urls in pages] == [[], []]


def test_presses_and_input_before_the_pages_script_are_not_lost(visit: Visit, site: Site) -> None:
    page = visit("/healthz", wait=False)
    requests = hold(page, "**/assets/page-*.js")
    page.goto(site.url + "/contact-us")
    page.locator("main form [name=subject]").fill("Looms")
    page.locator("main form [name=subject]").blur()
    page.locator("button[data-theme-switch]:visible").first.click()
    requests.wait_for_first()
    assert page.locator("html").get_attribute("class") is None

    requests.release()

    expect(page.locator("html")).to_have_class("dark")
    until(page, "JSON.parse(sessionStorage['draft:message'] ?? '{}').fields?.subject", "Looms")


@pytest.mark.parametrize("action", ["focus", "type"])
def test_react_starts_on_focus_or_typing(visit: Visit, action: str) -> None:
    page = visit("/contact-us", wait=False)

    match action:
        case "focus":
            page.locator("header [command=show-modal]:visible").first.focus()
        case _:
            page.locator("main form [name=subject]").fill("Looms")

    until(page, HYDRATED)
    if action == "type":
        assert page.locator("main form [name=subject]").input_value() == "Looms"


@pytest.fixture
def reader(visit: Visit) -> Callable[..., Page]:
    """Opens a page on which React can never start."""

    def open_page(path: str, **options: object) -> Page:
        allowed = ("ERR_FAILED", "Failed to load resource", "interaction did not load")
        page = visit("/healthz", wait=False, allowed=allowed, **options)
        page.route(REACT, lambda route: route.abort())
        page.goto(page.url.replace("/healthz", "") + path)
        return page

    return open_page


Reader = Callable[..., Page]


def test_browsers_may_prefetch_links_but_not_to_other_languages(reader: Reader) -> None:
    page = reader("/")

    rules = page.evaluate("JSON.parse(document.querySelector('script[type=speculationrules]').textContent).prefetch[0]")
    assert rules["eagerness"] != "immediate"
    excluded = [condition["not"].get("selector_matches", "") for condition in rules["where"]["and"] if "not" in condition]
    assert "[data-language]" in ",".join(excluded).split(",")


def test_links_load_the_next_document_without_react(reader: Reader) -> None:
    page = reader("/")
    page.evaluate("window.kept = true")

    page.locator("footer a[href$='/about-us']").first.click()
    page.wait_for_url("**/company/about-us")

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("window.kept") is None


def test_another_language_is_offered_once_on_the_first_input(reader: Reader) -> None:
    page = reader("/faq", locale="zh-CN")
    offer = page.locator(".snackbar[lang=zh-Hans]")
    until(page, LISTENING)
    page.wait_for_timeout(500)
    assert offer.count() == 0  # not before the visitor moves

    page.mouse.move(200, 200)
    expect(offer).to_be_visible()
    assert findings(page) == []
    offer.locator(".icon-button").click()
    page.reload()
    until(page, LISTENING)
    page.mouse.move(300, 300)
    page.wait_for_timeout(500)
    expect(offer).to_have_count(0)

    page.evaluate("sessionStorage.clear()")
    page.reload()
    until(page, LISTENING)
    page.mouse.move(200, 200)
    offer.locator(".snackbar-action").click()
    page.wait_for_url("**/cn/faq")


def test_without_react_addresses_lead_home_or_open_a_dialog_or_an_answer(visit: Visit, reader: Reader, site: Site) -> None:
    page = reader("/no/such/page")
    expect(page.locator(".snackbar-warning")).to_be_visible()
    until(page, "location.pathname + location.hash", "/")

    # Prevents the reload for the dialog's blocked code, which would race with the next steps.
    page.evaluate("sessionStorage['reloaded:consultation'] = '1'")
    page.goto(site.url + "/faq?open=consultation")
    expect(page.locator("#consultation-dialog")).to_be_visible()
    until(page, "location.search", "")

    slug = page.locator("main details").nth(7).get_attribute("id")
    page.goto(site.url + "/healthz")
    page.goto(f"{site.url}/faq#{slug}")
    for tab in (page, visit(f"/faq#{slug}")):  # without React, and with it
        expect(tab.locator(f"#{slug}")).to_have_attribute("open", "")
        assert 0 <= tab.locator(f"#{slug}").evaluate("heading => heading.getBoundingClientRect().top") < 300


def test_an_address_with_an_invalid_fragment_breaks_no_script(visit: Visit) -> None:
    page = visit("/faq#100%")

    page.locator(".bar-links summary").first.click()

    expect(page.locator("details.menu[open]")).to_have_count(1)
    page.keyboard.press("Escape")  # the page's script handles it
    expect(page.locator("details.menu[open]")).to_have_count(0)


def test_search_engines_find_each_question_of_the_faq_with_its_answer(visit: Visit) -> None:
    page = visit("/faq", javascript=False, wait=False)
    faq = page.locator("[itemscope][itemtype='https://schema.org/FAQPage']")
    questions = faq.locator("details[itemprop=mainEntity][itemtype='https://schema.org/Question']")

    assert questions.count() == page.locator(".questions > details").count() > 0
    for question in questions.all():
        answer = question.locator("[itemprop=acceptedAnswer][itemtype='https://schema.org/Answer'] > [itemprop=text]")
        assert question.locator("summary [itemprop=name]").text_content()
        assert answer.text_content()


def test_an_open_answer_causes_no_layout_shift_on_reload(visit: Visit) -> None:
    page = visit("/faq", joined=True, allowed=("ERR_FAILED", "Failed to load resource"))
    page.route("**/fonts/*", lambda route: route.abort())  # without a similar local font, headlines would move
    page.locator("main details").first.locator("summary").click()
    until(page, "JSON.parse(sessionStorage['open:general_inquiries'] ?? '{}').id !== undefined", True)
    page.add_init_script(
        "new PerformanceObserver(list => { for (const shift of list.getEntries()) window.shifted = (window.shifted ?? 0) + shift.value })"
        ".observe({ type: 'layout-shift', buffered: true })"
    )
    page.reload()
    height = page.evaluate("document.documentElement.scrollHeight")

    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    until(page, HYDRATED)
    page.wait_for_timeout(1000)

    assert page.evaluate("document.documentElement.scrollHeight") == height
    assert page.evaluate("window.shifted ?? 0") <= 0.01


def test_a_press_before_react_is_shown_as_busy_and_carried_out(visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    requests = hold(page, "**/assets/react-*.js")
    page.reload()
    button = page.locator("main form button[type=submit]")
    until(page, LISTENING)  # before, the browser itself would send the form

    button.click()
    requests.wait_for_first()
    expect(button).to_have_attribute("aria-busy", "true")
    requests.release()

    expect(page.locator("main form [name=full_name]")).to_be_focused()
    assert button.get_attribute("aria-busy") is None


def test_input_before_react_survives_a_plain_navigation(visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    hold(page, "**/assets/react-*.js")
    page.reload()
    page.locator("main form [name=subject]").fill("Looms")
    until(page, "JSON.parse(sessionStorage['draft:message'] ?? '{}').fields?.subject", "Looms")
    page.unroute("**/assets/react-*.js")

    page.locator(".bar-wide summary").click()
    page.locator(".bar-wide a[data-language=th]").click()
    page.wait_for_url("**/th/contact-us")
    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")

    expect(page.locator("main form [name=subject]")).to_have_value("Looms")


def test_typing_before_react_changes_only_that_field_of_a_draft(visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    page.evaluate(
        "sessionStorage['draft:message'] = JSON.stringify({ key: 'k', fields: { subject: 'Looms', message: 'Long', email: 'a' } })"
    )
    page.route("**/assets/react-*.js", lambda route: None)
    page.reload()
    form = page.locator("main form")
    until(page, LISTENING)

    form.locator("[name=subject]").fill("Engines")
    form.locator("[name=email]").fill("b")
    form.locator("[name=email]").fill("")  # cleared on purpose

    until(
        page, "JSON.parse(sessionStorage['draft:message'])", {"key": "k", "fields": {"subject": "Engines", "message": "Long"}}
    )


def test_a_phone_number_typed_before_react_stays_and_is_sent(visit: Visit, site: Site) -> None:
    page = visit("/contact-us", wait=False)
    requests = hold(page, "**/assets/react-*.js")
    page.reload()
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    CONTACT_PAGE.field(page, "phone").fill("020 7946 0958")
    requests.wait_for_first()

    requests.release()
    until(page, HYDRATED)
    expect(page.locator("main .phone[data-ready]")).to_be_visible()

    expect(CONTACT_PAGE.field(page, "phone")).to_have_value("020 7946 0958")
    CONTACT_PAGE.button(page).click()
    assert stored_value(site, "phone_e164", reference(page, within_ms=30_000)) == "+442079460958"


def test_a_page_stays_while_others_take_its_place_and_it_is_withdrawn(visit: Visit) -> None:
    page = visit("/articles/how-we-estimate", wait=False)
    title = page.locator("h1").inner_text()
    page.route("**/manifests/*.js", _blocking("[articles].[how-we-estimate]"))

    hydrated(page)
    page.keyboard.press("Escape")
    expect(page.locator("h1")).to_have_text(title)
    page.locator("footer a[href='/faq']").click()

    expect(page).to_have_url(re.compile("/faq$"))
    expect(page.locator("h1")).not_to_have_text(title)


def _blocking(page_name: str) -> Callable[[Route], None]:
    """Returns a handler that answers with the manifest as it will be when that page is gone."""

    def serve(route: Route) -> None:
        response = route.fetch()
        start, _, manifest = response.text().partition("=")
        content = json.loads(manifest.rstrip("; \n"))
        del content["routes"][f"routes/{page_name}._index"]
        route.fulfill(response=response, body=f"{start}={json.dumps(content)}")

    return serve

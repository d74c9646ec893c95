"""Navigation between pages: scroll, focus, titles, and prefetched code."""

import pytest
from playwright.sync_api import Page, expect

from site_app.content.routes import REDIRECTS
from tests.browser.held_requests import hold
from tests.browser.visit import Visit
from tests.browser.waiting import HYDRATED, LISTENING, stop_clock, until, until_true, wait_for_page

_TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("calm", [True, False], ids=["calm", "moving"])
def test_a_new_page_starts_at_the_top_and_back_restores_the_position(visit: Visit, calm: bool) -> None:
    """No reload; both are instant with reduced motion, otherwise going back scrolls half a second later."""
    page = visit("/", calm=calm)
    page.evaluate("window.kept = true; scrollTo({ top: 2500, behavior: 'instant' })")
    until(page, "scrollY", 2500)
    page.evaluate("window.seen = []; addEventListener('scroll', () => seen.push([performance.now(), Math.round(scrollY)]))")

    page.evaluate("document.querySelector('.bar-links a[href=\"/faq\"]').click()")
    page.wait_for_url("**/faq")
    until(page, "scrollY", 0)
    assert page.evaluate("window.kept"), "the document was loaded anew"
    steps = len({place for _, place in page.evaluate("seen") if place > 0})
    assert steps <= 2 if calm else steps > 2

    if calm:
        stop_clock(page)
    page.evaluate("window.seen = []; window.left = performance.now(); history.back()")
    until(page, "scrollY", 2500)
    if not calm:
        assert page.evaluate("seen.find(([, place]) => place > 0)[0] - left") >= 500


def test_back_returns_to_the_place_on_a_page_where_a_dialog_started_react(visit: Visit) -> None:
    page = visit("/", wait=False)
    page.evaluate("scrollTo({ top: 1500, behavior: 'instant' })")
    until(page, "scrollY", 1500)
    page.locator("header [commandfor=quote-dialog]:visible").click()
    until(page, HYDRATED)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    until(page, "history.state?.dialog ?? ''", "")
    place = page.evaluate("Math.round(scrollY)")

    page.evaluate("document.querySelector('.bar-links a[href=\"/faq\"]').click()")
    page.wait_for_url("**/faq")
    until(page, "scrollY", 0)
    page.go_back()

    wait_for_page(page, "/")
    assert place > 1000
    _expect_scroll(page, place)


def test_a_visitor_who_scrolls_is_left_alone(visit: Visit) -> None:
    page = visit("/", calm=False)
    page.evaluate("scrollTo({ top: 1500, behavior: 'instant' })")
    until(page, "scrollY", 1500)
    page.evaluate("document.querySelector('.bar-links a[href=\"/faq\"]').click()")
    page.wait_for_url("**/faq")
    until(page, "scrollY", 0)
    page.evaluate("window.asked = []; const real = scrollTo; window.scrollTo = (to) => { asked.push(to?.top ?? 0); real(to) }")

    stop_clock(page)
    page.go_back()
    wait_for_page(page, "/")
    page.evaluate("dispatchEvent(new WheelEvent('wheel'))")
    page.clock.run_for(900)  # longer than the delay after which it must not scroll

    assert page.evaluate("[Math.max(0, ...asked), scrollY]") == [0, 0]


_HASHES = "links => [...new Set(links.map(link => link.hash))]"
_AT = "id => { const { top } = document.getElementById(id).getBoundingClientRect(); return top >= 0 && top < 200 }"


def _follow_section_link(page: Page, section: str) -> int:
    """Follows the side contents to this section; returns the scroll position."""
    page.locator(f"main a[href='#{section}']:visible").first.evaluate("link => link.click()")
    page.wait_for_url(f"**#{section}")
    page.evaluate(_TWO_FRAMES)
    until_true(page, lambda: page.evaluate(_AT, section))
    shown_by_router = f"__reactRouterDataRouter.state.location.hash === '#{section}'"
    until(page, shown_by_router)
    page.evaluate(_TWO_FRAMES)
    assert page.evaluate(_AT, section)
    return int(page.evaluate("Math.round(scrollY)"))


def _expect_scroll(page: Page, place: int) -> None:
    """Waits for the scroll position, give or take a pixel: the browser rounds half pixels either way."""
    until(page, f"Math.abs(Math.round(scrollY) - {place}) <= 1")


def test_links_within_a_page_work_and_back_returns_to_each_in_turn(visit: Visit) -> None:
    page = visit("/legals/privacy-policy")
    sections = [str(link).removeprefix("#") for link in page.locator("main a[href^='#']:visible").evaluate_all(_HASHES)]
    later_section, earlier_section = sections[2], sections[0]

    first = _follow_section_link(page, later_section)
    second = _follow_section_link(page, earlier_section)
    assert first != second
    third = _follow_section_link(page, later_section)
    page.go_back()
    _expect_scroll(page, second)
    page.go_forward()
    _expect_scroll(page, third)
    page.go_back()
    page.go_back()
    _expect_scroll(page, first)
    page.go_back()

    until(page, "scrollY", 0)


def test_a_link_leads_to_its_section_and_a_menu_closes_that_leads_there_again(visit: Visit) -> None:
    page = visit("/")
    page.evaluate("document.querySelector('a[href$=\"#brand-creation\"]').click()")
    page.wait_for_url("**/services/digital-marketing#brand-creation")
    until(page, "Math.abs(document.getElementById('brand-creation')?.getBoundingClientRect().top) < 200 && scrollY > 0", True)

    menu = page.locator(".bar-links details.menu").first
    for _ in range(2):
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        menu.locator("summary").click()
        menu.locator("a[href$='#brand-creation']").click()

        expect(menu).not_to_have_attribute("open")
        until_true(page, lambda: page.evaluate(_AT, "brand-creation"))


def test_a_hovered_page_is_prefetched_then_faded_in_announced_focused_and_marked(visit: Visit) -> None:
    page = visit("/", calm=False)
    page.evaluate(
        """window.faded = 0; const start = document.startViewTransition;
        document.startViewTransition = function (...given) { faded++; return start.apply(document, given) }"""
    )
    link = page.locator(".bar-links a[href='/faq']")
    with page.expect_request("**/_faq_*.js"):
        link.hover()

    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/faq")

    until(page, "window.faded >= 1")
    until(page, "document.activeElement.tagName", "H1")
    expect(page.get_by_role("status").filter(has_text=page.title())).to_have_count(1)
    marked = "[...new Set(Array.from(document.querySelectorAll('[aria-current=page]'), link => link.getAttribute('href')))]"
    until(page, marked, ["/faq"])


def test_the_menu_marks_the_list_that_an_article_belongs_to(visit: Visit) -> None:
    page = visit("/case-studies")
    link = page.locator(".bar-links a[href='/case-studies']")
    expect(link).to_have_attribute("aria-current", "page")

    page.locator("main .entry-link").first.click()

    page.wait_for_url("**/case-studies/*")
    expect(link).to_have_attribute("aria-current", "true")


def test_a_moved_page_redirects_without_a_reload(visit: Visit) -> None:
    page = visit("/faq")
    page.evaluate("window.kept = true")

    page.evaluate("__reactRouterDataRouter.navigate('/th/company')")

    wait_for_page(page, f"/th{REDIRECTS['/company']}")
    until(page, "window.kept")


def test_an_unknown_page_leads_home_without_a_reload_and_reports_it(visit: Visit) -> None:
    page = visit("/th/faq")
    page.evaluate("window.kept = true")

    page.evaluate("__reactRouterDataRouter.navigate('/th/nowhere')")

    expect(page.locator(".snackbar")).to_be_visible()
    until(page, "[window.kept, location.pathname + location.hash]", [True, "/th"])


def test_a_page_without_its_code_is_reloaded_once(visit: Visit) -> None:
    page = visit("/", allowed=("Failed to load resource", "ERR_FAILED", "interaction did not load"))
    page.route("**/_faq_*.js", lambda route: route.abort())
    page.evaluate("addEventListener('preload-error', event => { sessionStorage.raised = event.detail.path })")

    page.evaluate("document.querySelector('.bar-links a[href=\"/faq\"]').click()")
    page.wait_for_url("**/faq")

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("sessionStorage.raised") == "/faq"


def test_a_page_that_fails_again_can_be_tried_again(visit: Visit) -> None:
    page = visit("/", allowed=("Failed to load resource", "ERR_FAILED"))
    page.evaluate("sessionStorage['reloaded:/faq'] = 1; window.kept = true")
    page.route("**/_faq_*.js*", lambda route: route.abort())
    page.evaluate("document.querySelector('.bar-links a[href=\"/faq\"]').click()")
    try_again = page.locator(".snackbar-action")
    expect(try_again).to_be_visible()
    page.unroute("**/_faq_*.js*")

    try_again.click()

    page.wait_for_url("**/faq")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("window.kept")


def test_back_while_a_page_loads_is_not_overridden_when_it_arrives(visit: Visit) -> None:
    page = visit("/")
    page.locator("footer a[href='/contact-us']").first.click()
    wait_for_page(page, "/contact-us")
    requests = hold(page, "**/_faq_*.js")
    page.evaluate("document.querySelector('.bar-links a[href=\"/faq\"]').click()")
    until(page, "document.documentElement.hasAttribute('data-leaving')")

    page.go_back()
    wait_for_page(page, "/")
    requests.release()
    until(page, "Object.keys(__reactRouterRouteModules).some(module => module.includes('faq'))")
    page.evaluate(_TWO_FRAMES)

    assert page.evaluate("[location.pathname, document.documentElement.hasAttribute('data-leaving')]") == ["/", False]


def test_back_after_a_reload_shows_the_page_that_react_had_shown_before(visit: Visit) -> None:
    page = visit("/")
    page.locator("footer a[href='/contact-us']").first.click()
    wait_for_page(page, "/contact-us")
    page.reload()
    until(page, LISTENING)

    page.go_back()

    wait_for_page(page, "/")

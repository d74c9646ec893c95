"""Menus, the drawer and the FAQ's answers, by mouse and by keyboard."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.held_requests import hold
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import sent_frames, until, until_true, wait_for_page


def _menu(page: Page, at: int = 0) -> None:
    page.locator(".bar-links summary").nth(at).click()


def test_a_menu_and_a_theme_chosen_before_react_stay(visit: Visit) -> None:
    page = visit("/", wait=False)
    requests = hold(page, "**/assets/root-*.js")
    page.reload()

    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    requests.wait_for_first()
    page.locator("[data-theme-switch]:visible").click()
    _menu(page)
    requests.release()
    hydrated(page)

    expect(page.locator("details.menu[open]")).to_have_count(1)
    expect(page.locator("html.dark")).to_have_count(1)


def test_the_last_of_many_links_can_be_reached(visit: Visit) -> None:
    page = visit("/", height=600)
    _menu(page, 1)
    links = page.locator("details.menu[open] .menu-link")

    links.last.evaluate("link => { for (let i = 0; i < 30; i++) link.parentElement.append(link.cloneNode(true)); }")
    links.last.scroll_into_view_if_needed()

    expect(links.last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("with_react", [True, False], ids=["React", "plain script"])
def test_a_menu_closes(visit: Visit, with_react: bool) -> None:
    page = visit("/", wait=with_react)
    open_menu = page.locator("details.menu[open]")

    _menu(page)
    _menu(page, 1)  # closes the first menu
    expect(open_menu).to_have_count(1)
    expect(page.locator(".bar-links details.menu").nth(1)).to_have_attribute("open")
    page.keyboard.press("Escape")
    until(page, "document.activeElement.tagName", "SUMMARY")
    expect(open_menu).to_have_count(0)

    _menu(page, 1)
    page.mouse.click(200, 700)
    expect(open_menu).to_have_count(0)

    _menu(page, 1)
    for _ in range(1 + open_menu.locator("a").count()):
        page.keyboard.press("Tab")
    expect(open_menu).to_have_count(0)

    _menu(page, 1)
    open_menu.locator("a[href$='/about-us']").click()
    page.wait_for_url("**/about-us")
    expect(open_menu).to_have_count(0)


def test_axe_finds_nothing_in_an_open_menu_or_drawer(visit: Visit) -> None:
    page = visit("/", dark=True)
    _menu(page)
    assert findings(page) == []
    page.keyboard.press("Escape")

    page.set_viewport_size({"width": 360, "height": 900})
    page.locator(".bar-narrow").click()
    assert findings(page) == []


def test_the_drawer_closes_when_a_page_is_chosen(visit: Visit) -> None:
    page = visit("/", width=360)
    page.locator(".bar-narrow").click()

    page.locator("#drawer summary").last.click()
    page.locator("#drawer a[href$='/about-us']").click()
    page.wait_for_url("**/about-us")

    expect(page.locator("#drawer")).to_be_hidden()


def test_an_answer_collapses_its_neighbours_and_stays_expanded_on_return(visit: Visit) -> None:
    page = visit("/faq", wait=False)
    frames = sent_frames(page)
    hydrated(page)
    category = page.locator("main details").first.get_attribute("name")
    first, second = page.locator(f"details[name={category}]").nth(0), page.locator(f"details[name={category}]").nth(1)

    first.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("open", "")
    second.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(second).to_have_attribute("open", "")
    expect(first).not_to_have_attribute("open", "")
    report = f'faq_state.report","payload":{{"category":"{category}","question":"{second.get_attribute("id")}"'
    until_true(page, lambda: any(report in frame for frame in frames))

    page.locator("footer a[href$='/about-us']").first.click()
    wait_for_page(page, "/company/about-us")
    page.go_back()
    wait_for_page(page, "/faq")
    expect(second).to_have_attribute("open", "")


@pytest.mark.parametrize("window", [320, 390, 412])
@pytest.mark.parametrize("scrollbar", [0, 15])
def test_the_brand_stays_in_one_line_beside_a_scrollbar(visit: Visit, window: int, scrollbar: int) -> None:
    page = visit("/", width=window, wait=False)
    page.evaluate("pixels => { document.documentElement.style.paddingRight = `${pixels}px`; }", scrollbar)

    lines_of_words = page.locator(".bar-row .brand").evaluate("""brand => {
        const range = document.createRange();
        range.selectNodeContents(brand.lastChild);
        return range.getClientRects().length;
    }""")

    assert lines_of_words == 1
    assert page.locator(".bar-row").evaluate("row => row.scrollWidth <= row.clientWidth")

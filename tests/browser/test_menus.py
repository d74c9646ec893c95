"""Menus, the drawer and the FAQ's answers, by mouse and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import findings
from tests.browser.conftest import hydrated
from tests.browser.waiting import sent_frames, shown, until, until_true

Visit = Callable[..., Page]


def _menu(page: Page, at: int = 0) -> None:
    page.locator(".bar-links summary").nth(at).click()


def test_opening_a_menu_closes_the_other(visit: Visit) -> None:
    page = visit("/", wait=False)

    _menu(page)
    _menu(page, 1)

    expect(page.locator(".bar-links details.menu").nth(0)).not_to_have_attribute("open")
    expect(page.locator(".bar-links details.menu").nth(1)).to_have_attribute("open")


def test_a_menu_opened_before_react_is_there_stays_open(visit: Visit) -> None:
    page = visit("/", wait=False)
    held: list[Route] = []
    page.route("**/assets/root-*.js", lambda route: held.append(route))
    page.reload()

    _menu(page)
    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    until_true(page, lambda: held)
    for route in held:
        route.continue_()
    hydrated(page)

    expect(page.locator("details.menu[open]")).to_have_count(1)


@pytest.mark.parametrize("with_react", [True, False], ids=["React", "plain script"])
def test_a_menu_closes(visit: Visit, with_react: bool) -> None:
    page = visit("/", wait=with_react)
    opened = page.locator("details.menu[open]")

    _menu(page, 1)
    page.keyboard.press("Escape")
    until(page, "document.activeElement.tagName", "SUMMARY")
    expect(opened).to_have_count(0)

    _menu(page, 1)
    page.mouse.click(200, 700)
    expect(opened).to_have_count(0)

    _menu(page, 1)
    for _ in range(1 + opened.locator("a").count()):
        page.keyboard.press("Tab")
    expect(opened).to_have_count(0)

    _menu(page, 1)
    opened.locator("a[href$='/about-us']").click()
    page.wait_for_url("**/about-us")
    expect(opened).to_have_count(0)


def test_the_drawer_closes_when_a_page_is_chosen(visit: Visit) -> None:
    page = visit("/", width=360)
    page.locator(".bar-narrow").click()

    page.locator("#drawer a[href$='/about-us']").click()
    page.wait_for_url("**/about-us")

    expect(page.locator("#drawer")).to_be_hidden()


@pytest.mark.parametrize(
    ("width", "opener", "dark"), [(1280, ".bar-links summary", True), (360, "[popovertarget=drawer]", False)]
)
def test_axe_finds_nothing_in_an_open_menu(visit: Visit, width: int, opener: str, dark: bool) -> None:
    page = visit("/", width=width, dark=dark, wait=False)

    page.locator(opener).first.click()

    assert findings(page) == []


def test_an_answer_collapses_its_neighbours_and_the_state_hears_of_it(visit: Visit) -> None:
    page = visit("/faq", wait=False)
    frames = sent_frames(page)
    page.reload()
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
    slug = second.get_attribute("id")
    until_true(
        page,
        lambda: any(f'faq_state.report","payload":{{"category":"{category}","question":"{slug}"' in frame for frame in frames),
        within_ms=15_000,
    )


def test_an_expanded_answer_is_expanded_when_one_comes_back(visit: Visit) -> None:
    page = visit("/faq")
    answer = page.locator("main details").nth(2)
    answer.locator("summary").click()
    expect(answer).to_have_attribute("open", "")

    page.locator("footer a[href$='/about-us']").first.click()
    shown(page, "/company/about-us")
    page.go_back()
    shown(page, "/faq")

    expect(answer).to_have_attribute("open", "")

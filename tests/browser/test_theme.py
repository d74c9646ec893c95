"""As the system is set until a visitor chooses; the choice is remembered, never a flash."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from site_app import colors
from tests.browser.conftest import hydrated
from tests.browser.waiting import until, until_true

Visit = Callable[..., Page]
LOOK = """[document.documentElement.classList.contains('dark'), getComputedStyle(document.documentElement).colorScheme,
document.querySelector('meta[name=theme-color]').content.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')]"""
LIGHT, DARK = [False, "light", colors.light()["background"]], [True, "dark", colors.dark()["background"]]


def test_a_first_visit_follows_the_system_until_a_theme_is_chosen(visit: Visit) -> None:
    page = visit("/", color_scheme="dark")
    until(page, LOOK, DARK)
    assert page.evaluate("localStorage.theme") is None

    page.locator("[data-theme-switch]:visible").click()
    until(page, "localStorage.theme", "light")
    page.reload()
    until(page, LOOK, LIGHT)


def test_a_chosen_theme_is_remembered_there_before_the_first_paint_and_on_the_next_page(visit: Visit) -> None:
    page = visit("/", wait=False)
    until(page, LOOK, LIGHT)
    page.locator("[data-theme-switch]:visible").click()
    until(page, LOOK, DARK)

    page.add_init_script(
        "new MutationObserver(() => document.body && (window.first ??= document.documentElement.classList.contains('dark')))"
        ".observe(document, { subtree: true, childList: true })"
    )
    page.reload()
    assert page.evaluate("window.first") is True
    until(page, LOOK, DARK)

    hydrated(page)
    page.locator(".bar-links a[href='/faq']").click()
    page.wait_for_url("**/faq")
    until(page, LOOK, DARK)
    page.locator("[data-theme-switch]:visible").click()
    until(page, LOOK, LIGHT)


def test_with_storage_forbidden_the_page_lives_and_the_theme_changes(visit: Visit) -> None:
    page = visit("/", wait=False)
    page.add_init_script(
        """for (const store of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, store, { configurable: true, get() { throw new DOMException('no', 'SecurityError') } })"""
    )
    page.reload()

    page.locator("[data-theme-switch]:visible").click()

    until(page, LOOK, DARK)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("late", ["root", "page"])
def test_a_choice_before_react_is_there_is_not_lost(visit: Visit, late: str) -> None:
    page = visit("/", wait=False)
    held: list[Route] = []
    page.route(f"**/assets/{late}-*.js", lambda route: held.append(route))
    page.reload(wait_until="load" if late == "root" else "commit")
    if late == "root":
        page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    until_true(page, lambda: held)

    page.locator("[data-theme-switch]:visible").click()
    for route in held:
        route.continue_()

    until(page, LOOK, DARK)

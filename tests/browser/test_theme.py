"""The theme is light until a visitor chooses; the choice is remembered, without a flash."""

import re

import pytest
from playwright.sync_api import expect

from site_app.core import colors
from tests.browser.visit import STORAGE_FORBIDDEN, STORAGE_FULL, Visit, hydrated
from tests.browser.waiting import until
from tests.unit.test_colors import LARGE, contrast

LOOK = """[document.documentElement.classList.contains('dark'), getComputedStyle(document.documentElement).colorScheme,
document.querySelector('meta[name=theme-color]').content.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')]"""
LIGHT, DARK = [False, "light", colors.light()["background"]], [True, "dark", colors.dark()["background"]]
# The label, the ring's colour and the ground of each focused link and button
RINGS = """[...document.querySelectorAll('main :is(a, button)')].filter(element => element.checkVisibility()).map(element => {
  element.focus({ focusVisible: true });
  let ground = element;
  do ground = ground.parentElement; while (ground && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)');
  return [element.textContent, getComputedStyle(element).outlineColor, getComputedStyle(ground ?? document.documentElement).backgroundColor];
})"""


def test_a_first_visit_is_light_on_a_dark_system_until_a_theme_is_chosen(visit: Visit) -> None:
    page = visit("/", color_scheme="dark")
    until(page, LOOK, LIGHT)
    assert page.evaluate("localStorage.theme") is None

    page.locator("[data-theme-switch]:visible").click()
    until(page, "localStorage.theme", "dark")
    page.reload()
    until(page, LOOK, DARK)


def test_a_chosen_theme_applies_before_the_first_paint_and_on_the_next_page(visit: Visit) -> None:
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


@pytest.mark.parametrize("script", [STORAGE_FORBIDDEN, STORAGE_FULL], ids=["forbidden", "full"])
def test_without_storage_the_page_works_and_the_theme_changes(visit: Visit, script: str) -> None:
    page = visit("/", wait=False, script=script)

    page.locator("[data-theme-switch]:visible").click()

    until(page, LOOK, DARK)
    hydrated(page)
    page.evaluate("new Promise(requestAnimationFrame)")  # Reflex's own provider applies the stored theme
    until(page, LOOK, DARK)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def _hex(color: str) -> str:
    """Returns rgb(1, 2, 3) as #010203."""
    return "#" + "".join(f"{int(channel):02x}" for channel in re.findall(r"\d+", color))


@pytest.mark.parametrize("dark", [False, True])
def test_the_ring_of_the_focus_is_visible_on_every_ground(visit: Visit, dark: bool) -> None:
    page = visit("/", dark=dark, wait=False)

    rings = [(label, _hex(ring), _hex(ground)) for label, ring, ground in page.evaluate(RINGS)]

    assert len({ground for _, _, ground in rings}) > 2
    assert [ring for ring in rings if contrast(ring[1], ring[2]) < LARGE] == []

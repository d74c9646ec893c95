"""What is far out of sight waits with its layout, then rests, and nobody sees it: the page is as high, and what comes near is there."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from site_app.routes import ROUTES
from tests.browser.server import Site
from tests.browser.waiting import until, until_true

Visit = Callable[..., Page]
_TALL = "/services/digital-marketing"
_PARTS = "[...document.querySelectorAll('main > section, footer')]"
_TOPS = _PARTS + ".map(e => e.getBoundingClientRect().top + scrollY)"
_HEIGHTS = _PARTS + ".map(e => e.getBoundingClientRect().height)"
_VISIBILITY = _PARTS + ".map(e => getComputedStyle(e).contentVisibility)"
_RESTING = _PARTS + ".map(e => getComputedStyle(e).contentVisibility === 'auto')"
_LARGEST_TEXT_COMES_FIRST = """(() => {
  const area = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { width, top, bottom } = range.getBoundingClientRect();
    return width * Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  };
  const texts = [...document.querySelectorAll("main :is(h1, h2, h3, p, li, td)")].map((element) => [area(element), element]);
  const [, largest] = texts.reduce((one, other) => (other[0] > one[0] ? other : one));
  document.documentElement.dataset.first = "";
  return largest.checkVisibility({ visibilityProperty: true });
})()"""
_WAITS = "document.documentElement.hasAttribute('data-fresh')"


def _shape(page: Page) -> object:
    """Where the sections begin, to a pixel: a height that is given is rounded to less than one."""
    return pytest.approx(page.evaluate(_TOPS), abs=1)


def _rested(page: Page) -> list[bool]:
    until_true(page, lambda: not page.evaluate(_WAITS) and page.evaluate(_RESTING)[-1])
    return page.evaluate(_RESTING)


def test_the_first_section_is_painted_first(visit: Visit) -> None:
    page = visit("/faq", width=360, height=700)
    page.add_init_script(
        """new MutationObserver(() => {
          const [first, ...others] = document.querySelectorAll("main > section");
          const seen = (parts) => [...new Set(parts.map((one) => getComputedStyle(one).contentVisibility))].join();
          if (others.length) (window.steps ??= []).push([seen([first]), seen(others)].join(" then "));
        }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-first"] })"""
    )

    page.goto(page.url.replace("/faq", _TALL))
    _rested(page)

    steps = page.evaluate("steps")
    assert steps[0] == "visible then hidden"
    assert {step.partition(" ")[0] for step in steps} == {"visible"}
    assert "hidden" not in page.evaluate(_VISIBILITY)


def test_a_form_that_waits_is_laid_out_for_nobody(visit: Visit) -> None:
    """Chromium's autofill looks into what is hidden, to see which fields there are."""
    page = visit("/company/affiliate-program", width=360, height=700)
    seen = "getComputedStyle(document.querySelector('main form')).display"

    assert page.evaluate(f"(document.documentElement.dataset.first = '', {seen})") == "none"
    assert page.evaluate(f"(delete document.documentElement.dataset.first, {seen})") != "none"


@pytest.mark.parametrize("width", [412, 1280])
def test_the_largest_text_on_the_first_screen_comes_with_the_first_paint(visit: Visit, site: Site, width: int) -> None:
    """It is what a visitor's browser takes for the page's content (LCP)."""
    page = visit(ROUTES[0].path, width=width, height=823)

    late = []
    for route in ROUTES:
        page.goto(site.url + route.path)
        until(page, "document.documentElement.hasAttribute('data-first')", False)
        if not page.evaluate(_LARGEST_TEXT_COMES_FIRST):
            late.append(route.path)

    assert late == []


def test_what_is_near_follows_the_first_paint(visit: Visit) -> None:
    page = visit("/faq", width=360, height=700, allowed=("ERR_FAILED",))
    page.route("**/assets/boot-*", lambda route: route.abort())

    page.goto(page.url.replace("/faq", _TALL))
    until(page, "document.documentElement.hasAttribute('data-first')", False)

    resting = page.evaluate(_RESTING)
    assert resting[:2] == [False, False]
    assert all(resting[2:])


@pytest.mark.parametrize("way", ["a place in it", "a reload"])
def test_a_page_is_laid_out_whole_where_a_place_in_it_is_wanted(visit: Visit, way: str) -> None:
    page = visit("/faq", width=360, height=700, allowed=("ERR_FAILED",))
    page.route("**/assets/boot-*", lambda route: route.abort())

    page.goto(page.url.replace("/faq", _TALL + ("#main" if way == "a place in it" else "")))
    if way == "a reload":
        page.reload()

    assert not any(page.evaluate(_RESTING))


def test_a_page_keeps_its_shape_when_its_far_sections_rest(visit: Visit) -> None:
    page = visit(_TALL, width=360, height=700)
    before = _shape(visit(_TALL, width=360, height=700, javascript=False))

    resting = _rested(page)

    assert not resting[0]
    assert resting[-1]
    assert page.evaluate(_TOPS) == before


def test_what_comes_near_wakes_and_what_is_left_behind_rests(visit: Visit) -> None:
    page = visit(_TALL, width=360, height=700)
    before = _shape(visit(_TALL, width=360, height=700, javascript=False))
    _rested(page)

    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")

    until_true(page, lambda: not page.evaluate(_RESTING)[-1] and page.evaluate(_RESTING)[0])
    assert page.evaluate(_TOPS) == before


def test_a_turned_screen_has_the_heights_of_its_own_width(visit: Visit) -> None:
    page = visit(_TALL, width=360, height=700)
    _rested(page)
    other = _shape(visit(_TALL, width=700, height=700, javascript=False))

    page.set_viewport_size({"width": 700, "height": 700})

    until_true(page, lambda: page.evaluate(_TOPS) == other)
    assert _rested(page)[-1]
    assert page.evaluate(_TOPS) == other


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_behind_an_open_dialog_all_rests_that_is_out_of_sight(visit: Visit, way: str) -> None:
    page = visit("/", width=360, height=700)
    _rested(page)
    before, heights = page.evaluate(_TOPS), page.evaluate(_HEIGHTS)
    opener = page.locator("main [commandfor=quote-dialog]").first

    opener.click() if way == "mouse" else opener.press("Enter")

    behind = page.evaluate(_VISIBILITY)
    assert behind[0] == "visible"
    assert set(behind[1:]) == {"hidden"}
    assert page.evaluate(_HEIGHTS)[1:] == pytest.approx(heights[1:], abs=1)
    page.keyboard.press("Escape")
    until_true(page, lambda: "hidden" not in page.evaluate(_VISIBILITY))
    assert page.evaluate(_TOPS) == pytest.approx(before, abs=1)


def test_a_language_chosen_inside_a_dialog_leaves_nothing_asleep(visit: Visit) -> None:
    page = visit("/", width=360, height=700)
    _rested(page)
    page.locator("main [commandfor=quote-dialog]").first.click()
    page.locator("#quote-dialog a[data-language=th]").click()
    page.wait_for_url("**/th")

    page.keyboard.press("Escape")

    until_true(page, lambda: "hidden" not in page.evaluate(_VISIBILITY))

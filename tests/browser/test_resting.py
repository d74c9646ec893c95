"""Sections far out of sight rest, and nobody sees it: the page is as high, and what comes near is there."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import until_true

Visit = Callable[..., Page]
_TALL = "/services/digital-marketing"
_TOPS = "[...document.querySelectorAll('main > section')].map(e => e.getBoundingClientRect().top + scrollY)"
_RESTING = "[...document.querySelectorAll('main > section')].map(e => getComputedStyle(e).contentVisibility === 'auto')"


def _shape(page: Page) -> object:
    """Where the sections begin, to a pixel: a height that is given is rounded to less than one."""
    return pytest.approx(page.evaluate(_TOPS), abs=1)


def _rested(page: Page) -> list[bool]:
    until_true(page, lambda: any(page.evaluate(_RESTING)))
    return page.evaluate(_RESTING)


def test_a_page_keeps_its_shape_when_its_far_sections_rest(visit: Visit) -> None:
    page = visit(_TALL, width=360, height=700)
    before = _shape(page)

    resting = _rested(page)

    assert not resting[0]
    assert resting[-1]
    assert page.evaluate(_TOPS) == before


def test_what_comes_near_wakes_and_what_is_left_behind_rests(visit: Visit) -> None:
    page = visit(_TALL, width=360, height=700)
    _rested(page)
    before = _shape(page)

    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")

    until_true(page, lambda: not page.evaluate(_RESTING)[-1] and page.evaluate(_RESTING)[0])
    assert page.evaluate(_TOPS) == before


def test_a_turned_screen_has_the_heights_of_its_own_width(visit: Visit) -> None:
    page = visit(_TALL, width=360, height=700)
    _rested(page)
    other = _shape(visit(_TALL, width=700, height=700))

    page.set_viewport_size({"width": 700, "height": 700})

    until_true(page, lambda: page.evaluate(_TOPS) == other)
    assert _rested(page)[-1]
    assert page.evaluate(_TOPS) == other

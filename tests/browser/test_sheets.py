"""Sheets of paper: the sample report and scope, the parts of them at home, and pages when they are printed."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from site_app.content.routes import REPORT, SCOPE
from site_app.core.locales import LOCALES, Locale
from tests.browser.own_texts import PICTURED
from tests.browser.visit import Visit

A4 = {"width": 680, "height": 1009}  # pixels, inside the margins
_PAGE = re.compile(rb"/Type\s*/Page\b")


def _box(element: Locator) -> dict[str, float]:
    box: Any = element.bounding_box()
    return dict(box)


def _bottom(element: Locator) -> float:
    box = _box(element)
    return box["y"] + box["height"]


def _printed(page: Page) -> Page:
    page.emulate_media(media="print")
    return page


def test_the_whole_report_has_the_labels_and_bars_of_its_sheet_at_home(visit: Visit) -> None:
    home, report = visit("/", wait=False), visit(REPORT, wait=False)
    labels = "labels => labels.map(label => [label.textContent, getComputedStyle(label).backgroundColor])"
    bars = "bars => bars.map(bar => [bar.value, bar.max, bar.getAttribute('aria-label')])"

    assert report.locator(".report-statuses .chip").evaluate_all(labels) == home.locator(".hero .chip").evaluate_all(labels)
    assert report.locator(".papers progress").evaluate_all(bars) == home.locator(".hero progress").evaluate_all(bars)
    assert report.locator(".sheet-title .chip-done").count() == 1  # the verdict


@pytest.mark.parametrize("width", [768, 1280])
@pytest.mark.parametrize("path", [REPORT, SCOPE])
def test_sheets_begin_where_the_title_does(visit: Visit, path: str, width: int) -> None:
    page = visit(path, wait=False, width=width)

    assert _box(page.locator(".sheet").first)["x"] == pytest.approx(_box(page.locator("h1"))["x"], abs=1)


@pytest.mark.parametrize("width", [390, 1280])
def test_both_parties_sign_on_a_line_of_the_same_length(visit: Visit, width: int) -> None:
    page = visit(SCOPE, wait=False, width=width)

    lines = page.locator("td:empty:nth-child(n + 2)").evaluate_all("""cells => cells.slice(-2).map((cell) => {
      const { left, right, bottom, height } = cell.getBoundingClientRect();
      const { paddingLeft, paddingRight, paddingBottom } = getComputedStyle(cell);
      return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight), bottom - parseFloat(paddingBottom), height];
    })""")
    (left, left_end, level, height), (right, right_end, other_level, _) = lines

    assert left_end - left == pytest.approx(right_end - right, abs=1)
    assert right - left_end >= 24
    assert level == other_level
    assert height >= 56


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_on_a_phone_the_words_of_a_milestone_have_most_of_the_row(visit: Visit, locale: Locale) -> None:
    page = visit(f"{locale.prefix}{SCOPE}", wait=False, width=390)
    row = page.locator(".papers tr:has(th:nth-child(4)) + tr, .papers table:has(th:nth-child(4)) tbody tr").first

    _, weeks, words, price = (_box(cell)["width"] for cell in row.locator("td").all())

    assert words > weeks + price


def test_the_excerpt_of_the_scope_shows_every_row_and_covers_none(visit: Visit) -> None:
    page = visit("/", wait=False, width=390)
    fold = page.locator(".fold")
    fold.scroll_into_view_if_needed()

    assert fold.evaluate("fold => getComputedStyle(fold).maskImage") == "none"
    assert fold.locator("tr").count() > 4
    assert _bottom(fold.locator("tr").last) < _bottom(fold.locator(".sheet")) <= _bottom(fold) + 1


@pytest.mark.parametrize("path", [REPORT, SCOPE])
def test_each_printed_sheet_fills_a_page_and_its_foot_is_at_the_lower_edge(visit: Visit, path: str) -> None:
    page = _printed(visit(path, wait=False, **A4))
    sheets = page.locator(".papers .sheet")

    assert len(_PAGE.findall(page.pdf(prefer_css_page_size=True, format="A4"))) == sheets.count()
    for sheet in sheets.all():
        assert A4["height"] - 10 <= _box(sheet)["height"] <= A4["height"]
        assert _bottom(sheet.locator(".sheet-foot")) == pytest.approx(_bottom(sheet), abs=1)


def test_the_first_printed_sheet_of_a_case_has_letterhead_and_picture(visit: Visit) -> None:
    page = visit(PICTURED.path, wait=False, **A4)
    letterhead, picture = page.locator(".letterhead"), page.locator(".lead-picture img")
    expect(letterhead).to_be_hidden()

    _printed(page)

    assert _bottom(letterhead) < _box(page.locator("h1"))["y"]
    assert _box(picture)["height"] <= 303  # 8 cm
    assert _bottom(picture) <= A4["height"]

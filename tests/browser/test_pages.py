"""Every kind of page as it first arrives: readable, fitting, without complaints."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from site_app.content.routes import ROUTES
from site_app.core.locales import LOCALES, Locale
from site_app.pages.table import PAGES
from tests.browser.axe import COLOURS, findings
from tests.browser.visit import Visit, hydrated
from tests.support.site_server import Site

KINDS = [*{PAGES[route.path].__module__: route.path for route in reversed(ROUTES)}.values()]  # one page of each module


def test_a_page_can_be_read_without_javascript(visit: Visit, site: Site) -> None:
    """On a tablet; test_other_languages.py checks that every page fits the smallest phone."""
    page = visit(ROUTES[0].path, javascript=False, width=768)

    for path in KINDS:
        page.goto(site.url + path)
        assert page.locator("h1").is_visible(), path
        assert page.locator("main").inner_text().strip(), path
        assert page.get_by_role("contentinfo").is_visible(), path
        assert page.locator("html").evaluate("page => page.scrollWidth") <= 768, path


def test_all_heads_of_a_table_of_four_columns_are_in_view_on_a_phone(visit: Visit) -> None:
    page = visit("/company/sample-scope", wait=False, width=360)
    heads = page.locator(".sideways:has(th:nth-child(4))").first.locator(
        "th:not(:first-child)"
    )  # each row begins with what the first says

    heads.last.evaluate("head => scrollTo(0, head.closest('table').getBoundingClientRect().bottom + scrollY - innerHeight / 2)")

    assert heads.count() > 2
    for head in heads.all():
        expect(head).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_on_a_phone_the_footnote_is_above_the_picture_and_each_button_on_one_line(visit: Visit, locale: Locale) -> None:
    hero = visit(f"{locale.prefix}/company/affiliate-program", wait=False, width=390).locator(".hero")

    footnote, picture = (hero.locator(part).bounding_box() or {} for part in ("#limits", ".hero-art"))
    lines = """button => {
      const words = document.createRange();
      words.selectNodeContents(button);
      return new Set([...words.getClientRects()].map(({ top }) => top)).size;
    }"""

    assert picture["y"] >= footnote["y"] + footnote["height"]
    assert {button.evaluate(lines) for button in hero.locator(".button").all()} == {1}


@pytest.mark.parametrize("width", [390, 1280])
def test_mail_and_phone_are_on_the_contact_pages_first_screen_and_among_the_ways_to_reach_us(visit: Visit, width: int) -> None:
    page = visit("/contact-us", wait=False, width=width)

    for kind in ("mailto", "tel"):
        expect(page.locator(f"main a[href^='{kind}:']:visible").first).to_be_in_viewport(ratio=1)
        expect(page.locator(f"main aside a[href^='{kind}:']:visible")).to_have_count(1)


@pytest.mark.parametrize("path", ["/contact-us", "/company/prices"])
def test_in_very_large_type_an_address_breaks_only_after_its_at(visit: Visit, path: str) -> None:
    page = visit(path, wait=False, width=390)
    page.evaluate("document.documentElement.style.fontSize = '200%'")

    lines = """link => [...link.querySelector(":scope span:has(wbr)").childNodes].map(part => {
      const words = document.createRange();
      words.selectNodeContents(part);
      return words.getClientRects().length;
    })"""

    for link in page.locator("main a[href^='mailto:']:visible").all():
        assert max(link.evaluate(lines)) == 1


def test_the_sections_of_the_contact_page_are_headed_alike_on_a_phone(visit: Visit) -> None:
    page = visit("/contact-us", wait=False, width=390)

    sizes = page.locator("main h2:visible").evaluate_all("heads => heads.map(head => getComputedStyle(head).fontSize)")

    assert len(sizes) > 2
    assert len(set(sizes)) == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_marks_of_the_office_hours_stand_at_their_hours(visit: Visit, width: int) -> None:
    page = visit("/contact-us", wait=False, width=width)
    marks = page.locator(".hours-marks > span").evaluate_all(
        "marks => marks.map(mark => { const { left, right } = mark.getBoundingClientRect(); return (left + right) / 2 })"
    )

    bars = page.locator(".hours-bars").first.bounding_box() or {}

    assert marks[0] == pytest.approx(bars["x"], abs=1)
    assert marks[-1] == pytest.approx(bars["x"] + bars["width"], abs=1)


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_the_words_above_winter_and_summer_take_as_many_lines(visit: Visit, locale: Locale) -> None:
    page = visit(f"{locale.prefix}/contact-us", wait=False, width=390)

    heights = page.locator(".hours [data-column]").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell, '::before').height)"
    )

    assert len(set(heights)) == 1


def test_models_are_compared_across_the_page_and_one_by_one_on_a_phone(visit: Visit) -> None:
    page = visit("/company/prices", wait=False, width=1280)
    table, budgets = (page.locator(part).bounding_box() or {} for part in (".comparison", ".budgets"))
    assert table["width"] == budgets["width"]

    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".comparison-box summary").click()
    columns = page.locator(".comparison tr").evaluate_all(
        "rows => [2, 3, 4].map(at => rows.map(row => row.children[at - 1].getBoundingClientRect().top))"
    )

    assert [top for column in columns for top in column] == sorted(top for column in columns for top in column)


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_the_label_of_a_budgets_fact_is_on_one_line_on_a_phone(visit: Visit, size: str) -> None:
    page = visit("/company/prices", wait=False, width=390)
    page.evaluate("size => document.documentElement.style.fontSize = size", size)

    lines = """labels => labels.map(label => {
      const words = document.createRange();
      words.selectNodeContents(label);
      return words.getClientRects().length;
    })"""

    assert set(page.locator(".budget dt").evaluate_all(lines)) == {1}


def test_tools_stand_beside_their_heading_and_phases_beside_each_other(visit: Visit) -> None:
    page = visit("/services/digital-marketing", wait=False, width=1280)

    for row in (*page.locator(".split:has(> .technologies)").all(), *page.locator(".phases").all()):
        boxes = [part.bounding_box() or {} for part in row.locator("> *").all()]
        assert all(right["x"] >= left["x"] + left["width"] for left, right in pairwise(boxes))


_SHIFTS = """new PerformanceObserver((seen) => {
  for (const { value } of seen.getEntries()) window.shifted = (window.shifted ?? 0) + value;
}).observe({ type: "layout-shift", buffered: true })"""
GOOD_SHIFT = 0.1  # "good" according to web.dev; a headline may wrap differently once its own font is loaded


def test_nothing_jumps_while_a_page_appears(visit: Visit, site: Site) -> None:
    page = visit("/healthz", wait=False, width=412, script=_SHIFTS)

    shifted = {}
    for path in KINDS:
        page.goto(site.url + path)
        hydrated(page)
        shifted[path] = page.evaluate("window.shifted ?? 0")

    assert {path: shift for path, shift in shifted.items() if shift > GOOD_SHIFT} == {}


@pytest.mark.parametrize("path", KINDS)
def test_axe_finds_nothing_in_light_and_in_dark(visit: Visit, path: str) -> None:
    page = visit(path, wait=False)
    assert findings(page) == []

    page.locator("[data-theme-switch]:visible").click()
    expect(page.locator("html.dark")).to_have_count(1)
    assert findings(page, rules=COLOURS) == []
    page.set_viewport_size({"width": 360, "height": 800})  # menus and tables have another layout here
    assert findings(page) == []

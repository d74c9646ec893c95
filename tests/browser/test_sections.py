"""Sections of pages: lists, rows of entries, tools, and the space between."""

import pytest
from playwright.sync_api import Locator, expect

from site_app.content.publications import ARTICLES
from site_app.content.services.offers import offers
from site_app.pages.publications import cases_of
from tests.browser.visit import Visit


def _left(element: Locator) -> float:
    return (element.bounding_box() or {})["x"]


def _corners(elements: Locator) -> set[str]:
    return {*elements.evaluate_all("elements => elements.map(element => getComputedStyle(element).borderRadius)")}


def test_only_what_has_a_price_is_a_card(visit: Visit) -> None:
    home = visit("/", wait=False, width=390)
    about = visit("/company/about-us", wait=False)
    prices = visit("/company/prices", wait=False)

    assert "0px" not in _corners(home.locator(".entry:has(.entry-price)")) | _corners(prices.locator(".budget"))
    assert _corners(home.locator(".entry:not(:has(.entry-price)), .reasons > li")) == {"0px"}
    assert _corners(about.locator(".reasons > li")) == {"0px"}


@pytest.mark.parametrize(("width", "columns"), [(390, 1), (1280, 2)])
def test_reasons_stand_below_their_heading_two_in_a_row_where_there_is_room(visit: Visit, width: int, columns: int) -> None:
    page = visit("/", wait=False, width=width)
    section = page.locator("section:has(.reasons)")

    lefts = {_left(reason) for reason in section.locator(".reasons > li").all()}

    assert len(lefts) == columns
    assert min(lefts) == _left(section.locator("h2"))


def test_three_entries_are_one_column_on_a_tablet(visit: Visit) -> None:
    page = visit("/", wait=False, width=768)

    for entries in page.locator(".entries").all():
        assert len({_left(entry) for entry in entries.locator(".entry").all()}) == 1
        assert len({(entry.bounding_box() or {})["width"] for entry in entries.locator(".entry").all()}) == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_sections_on_the_same_ground_are_nearer_than_others_but_clearly_apart(visit: Visit, width: int) -> None:
    page = visit("/", wait=False, width=width)
    padding = """bands => bands.map(band => [
      band.parentElement.matches("section:not([class]) + section:not([class])"),
      parseFloat(getComputedStyle(band).paddingTop)])"""

    bands = page.locator("main > section > .band").evaluate_all(padding)
    shared = {space for follows_the_same_ground, space in bands if follows_the_same_ground}
    on_other_ground = {space for follows_the_same_ground, space in bands if not follows_the_same_ground}

    assert len(shared) == len(on_other_ground) == 1
    assert 24 <= min(shared) <= min(on_other_ground)


def test_a_single_case_has_its_picture_at_the_right(visit: Visit) -> None:
    service = next(offer for offer in offers().values() if len(cases_of(offer.api_slug)) == 1)
    page = visit(service.href, wait=False)
    entry = page.locator(".entry")

    assert entry.count() == 1
    picture, title = (entry.locator(part).bounding_box() or {} for part in ("img", ".entry-link"))
    assert picture["x"] >= title["x"] + title["width"]


@pytest.mark.parametrize(("language", "comma"), [("", '", "'), ("/cn", '"、"')])
def test_commas_part_the_tools_of_a_line(visit: Visit, language: str, comma: str) -> None:
    page = visit(f"{language}/services/digital-marketing", wait=False)
    tools = page.locator(".technologies dd")

    marks = tools.evaluate_all("""tools => tools.map((tool) =>
      [!tool.nextElementSibling, getComputedStyle(tool, "::after").content])""")

    assert {(is_last, mark) for is_last, mark in marks} == {(False, comma), (True, "none")}


@pytest.mark.parametrize("width", [320, 390])
def test_all_filters_of_a_list_are_in_view_on_a_phone(visit: Visit, width: int) -> None:
    page = visit(ARTICLES.path, wait=False, width=width)
    expect(page.locator(".filter").first).to_be_hidden()

    page.locator("summary").filter(has_text="Show: All").click()

    for entry in page.locator(".filter").all():
        box = entry.bounding_box() or {}
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_labels_above_headings_look_alike(visit: Visit) -> None:
    page = visit("/company/about-us", wait=False)

    looks = page.locator(".eyebrow, .story-heading").evaluate_all("""labels => labels.map((label) => {
      const { fontFamily, fontSize, letterSpacing, lineHeight } = getComputedStyle(label);
      return [fontFamily, fontSize, letterSpacing, lineHeight].join();
    })""")

    assert len(looks) > 1
    assert len({*looks}) == 1


@pytest.mark.parametrize("prefix", ["", "/th", "/cn"])
def test_words_of_clients_are_quoted(visit: Visit, prefix: str) -> None:
    page = visit(f"{prefix}/company/about-us", wait=False)

    marks = page.locator(".voices blockquote p").evaluate_all(
        "quotes => quotes.map(quote => ['::before', '::after'].map(part => getComputedStyle(quote, part).content).join())"
    )

    assert {*marks} == {"open-quote,close-quote"}


def test_the_halves_of_a_page_of_two_services_have_the_same_order_and_headings_of_their_own(visit: Visit) -> None:
    page = visit("/services/digital-marketing", wait=False)
    parts = page.locator(".reasons, .technologies, .phases, .steps").evaluate_all(
        "parts => parts.map(part => part.classList[0].replace('reason-rows', 'reasons'))"
    )
    headings = page.locator("main h2").all_inner_texts()
    jumps = page.locator(".hero nav a")

    assert parts[: len(parts) // 2] == parts[len(parts) // 2 :]
    assert len({*headings}) == len(headings)
    assert jumps.count() == 2
    for jump in jumps.all():
        jump.click()
        expect(page.locator(jump.get_attribute("href") or "")).to_be_in_viewport()


def test_the_page_about_us_names_the_steps_and_links_to_what_happens_in_them(visit: Visit) -> None:
    page = visit("/company/about-us", wait=False)
    steps = page.locator("section:has(#process)")
    titles = steps.locator("h3").all_inner_texts()

    assert steps.locator("li p").count() == 0
    steps.locator("a").click()

    page.wait_for_url("**/#process")
    expect(page.locator("#process")).to_be_in_viewport()
    assert page.locator("section:has(#process) h3").all_inner_texts() == titles


def test_phones_show_the_main_terms_of_a_comparison_until_all_are_asked_for(visit: Visit) -> None:
    page = visit("/company/prices", wait=False, width=390)
    values = page.locator(".comparison td > span")
    shown = "values => values.filter(value => value.checkVisibility()).length"
    count_before = values.evaluate_all(shown)

    page.locator(".comparison-box summary").click()

    assert 0 < count_before < values.count()
    assert values.evaluate_all(shown) == values.count()


def test_the_topics_of_the_faq_stay_in_view_on_a_phone(visit: Visit) -> None:
    """Its questions fold already."""
    page = visit("/faq", wait=False, width=390)

    expect(page.locator(".side-contents a").last).to_be_in_viewport()
    expect(page.locator(".side-contents details")).to_have_count(0)


def test_contents_fold_on_a_phone_and_stand_beside_a_long_text_elsewhere(visit: Visit) -> None:
    for width, folded in ((390, True), (1280, False)):
        page = visit("/legals/terms-of-service", wait=False, width=width)
        links, summary = page.locator(".side-contents a"), page.locator(".side-contents summary")

        expect(summary).to_be_visible(visible=folded)
        expect(links.first).to_be_visible(visible=not folded)
        if folded:
            summary.click()
            expect(links.first).to_be_visible()
            links.nth(1).click()
            expect(page.locator(f"h2{links.nth(1).get_attribute('href')}")).to_be_in_viewport()


def test_the_contents_of_a_law_count_as_its_headings_do(visit: Visit) -> None:
    page = visit("/legals/privacy-policy", wait=False, width=1280)

    resets = page.locator(".legal, .side-contents").evaluate_all(
        "parts => parts.map(part => getComputedStyle(part).counterReset)"
    )

    assert resets == ["clause 0", "clause 0"]


def test_the_short_name_of_a_tool_stays_in_its_line_on_a_phone(visit: Visit) -> None:
    page = visit("/services/digital-marketing", wait=False, width=360)

    lines = page.locator(".technologies dd").evaluate_all(
        r"""names => names.filter(name => name.textContent.includes("\u00a0")).map(name => {
          const words = document.createRange();
          words.selectNodeContents(name);
          return words.getClientRects().length;
        })"""
    )

    assert set(lines) == {1}

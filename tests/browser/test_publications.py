"""Case studies and articles: from the menu to a text, its pictures, its languages and feeds, without React."""

import json
from xml.etree import ElementTree

import httpx
import pytest
from playwright.sync_api import Page, expect

from components.art.pictures import WIDTHS
from site_app.content.publications import ARTICLES, CASES, Publication, all_publications, publications
from site_app.core.i18n import use
from site_app.core.locales import BY_ID, ENGLISH
from tests.browser.axe import COLOURS, findings
from tests.browser.own_texts import PICTURED
from tests.browser.visit import Visit
from tests.browser.waiting import HYDRATED, until, until_true
from tests.support.site_server import Site

TRANSLATED = next(text for text in publications(ARTICLES) if text.is_in(BY_ID["th"]))
CHARTED = next(text for text in all_publications() if "```chart" in text.words().markdown)
_ATOM = "{http://www.w3.org/2005/Atom}"


def _is_read_only(page: Page) -> bool:
    return not page.evaluate(f"{HYDRATED} || window.__reactRouterContext")


def test_a_reader_finds_a_case_by_its_service(visit: Visit) -> None:
    page = visit("/", wait=False)
    page.get_by_role("navigation", name="Main").get_by_text("Company", exact=True).click()
    page.get_by_role("link", name="Case studies", exact=True).first.click()
    page.wait_for_url(f"**{CASES.path}")
    count_before = page.locator(".entry").count()

    page.locator(".filter").nth(1).click()
    page.wait_for_url(f"**{CASES.path}/services/**")
    assert 0 < page.locator(".entry").count() < count_before
    page.locator(".entry-link").first.click()

    expect(page.locator("article h1")).to_be_visible()
    assert page.url.rpartition("/")[2] in {case.slug for case in publications(CASES)}
    assert _is_read_only(page)


@pytest.mark.parametrize("publication", [PICTURED, TRANSLATED], ids=lambda publication: publication.slug)
def test_a_text_is_accessible_and_fits_a_phone(visit: Visit, publication: Publication) -> None:
    page = visit(publication.path, wait=False)
    assert findings(page) == []

    page.locator("[data-theme-switch]:visible").click()
    assert findings(page, rules=COLOURS) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.locator("html").evaluate("page => page.scrollWidth") <= 320
    assert findings(page) == []


@pytest.mark.parametrize("prefix", ["", "/th", "/cn"])
def test_a_chart_fits_a_narrow_phone(visit: Visit, prefix: str) -> None:
    page = visit(f"{prefix}{CHARTED.path}", wait=False, width=320)
    chart = page.locator("figure.chart").first

    expect(chart).to_be_visible()
    assert page.locator("html").evaluate("page => page.scrollWidth") <= 320
    assert chart.evaluate("figure => [figure, ...figure.querySelectorAll('*')].every(part => part.scrollWidth <= 320)")
    assert chart.evaluate("figure => parseFloat(getComputedStyle(figure.querySelector('dt')).fontSize)") >= 13
    lines_up = "row => row.querySelector('svg').getBoundingClientRect().right <= row.querySelector('span').offsetLeft"
    assert all(row.evaluate(lines_up) for row in chart.locator("dl > div").all())


def test_a_picture_is_whole_on_a_phone_and_leads_to_its_largest_file(visit: Visit) -> None:
    page = visit(PICTURED.path, wait=False, width=320)
    link = page.locator(".whole-picture").first

    assert link.evaluate("link => link.querySelector('img').getBoundingClientRect().right <= innerWidth")
    assert httpx.get(page.url.removesuffix(PICTURED.path) + (link.get_attribute("href") or "")).status_code == 200


def test_pictures_come_in_the_format_and_size_for_the_screen(visit: Visit) -> None:
    page = visit(PICTURED.path, wait=False, width=390)
    pictures = page.locator("article picture img")

    for index in range(pictures.count()):
        pictures.nth(index).scroll_into_view_if_needed()
        until_true(page, lambda at=index: pictures.nth(at).evaluate("image => image.complete && image.naturalWidth > 0"))
        assert pictures.nth(index).evaluate("image => image.currentSrc").endswith(".avif")
    assert pictures.count() > 0


def test_the_home_page_shows_pictures_of_cases_only_where_there_is_room(visit: Visit) -> None:
    wide, narrow = visit("/", wait=False, width=1280), visit("/", wait=False, width=360)
    pictures = wide.locator("main .entry > img")

    assert pictures.count() > 1
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        until_true(wide, lambda image=picture: image.evaluate("picture => picture.offsetWidth < picture.naturalWidth"))
    for picture in narrow.locator("main .entry > img").all():
        expect(picture).to_be_hidden()
        assert picture.evaluate("picture => picture.naturalWidth") == 0  # not even fetched


def test_lists_on_a_phone_show_the_smallest_picture_beside_each_title(visit: Visit) -> None:
    page = visit(CASES.path, wait=False, width=360)
    entries = page.locator(".entry:has(picture)")

    assert entries.count() > 1
    for entry in entries.all():
        picture, title = entry.locator("picture img"), entry.locator(".entry-link")
        picture.scroll_into_view_if_needed()
        until_true(page, lambda image=picture: image.evaluate("picture => picture.naturalWidth > 0"))
        assert picture.evaluate("picture => picture.currentSrc").endswith(f"-{WIDTHS[0]}.avif")
        assert (picture.bounding_box() or {})["x"] > (title.bounding_box() or {})["x"]


def test_the_contents_lead_to_their_heading(visit: Visit) -> None:
    page = visit(TRANSLATED.path, wait=False)
    entry = page.locator(".side-contents a").nth(1)
    anchor = entry.get_attribute("href") or ""
    entry.click()

    until_true(
        page, lambda: page.evaluate("id => Math.abs(document.querySelector(id).getBoundingClientRect().top) < 200", anchor)
    )
    assert _is_read_only(page)


def test_a_translation_stands_in_its_language_and_names_the_others(visit: Visit) -> None:
    page = visit(f"/th{TRANSLATED.path}", wait=False)

    with use(BY_ID["th"]):
        expect(page.locator("h1")).to_have_text(TRANSLATED.words().title)
    for locale_id in TRANSLATED.texts:
        tag = BY_ID[locale_id].tag
        expect(page.locator(f'link[rel="alternate"][hreflang="{tag}"]')).to_have_count(1)
    expect(page.locator('link[type="application/atom+xml"]')).to_have_attribute("href", "/th/feed.atom")


def test_a_text_is_complete_without_javascript(visit: Visit) -> None:
    page = visit(PICTURED.path, javascript=False)

    with use(ENGLISH):
        expect(page.locator("h1")).to_have_text(PICTURED.words().title)
    assert len(page.locator("article .prose").inner_text()) > 500


def test_react_goes_from_text_to_text(visit: Visit) -> None:
    page = visit(CASES.path)
    page.get_by_role("button", name="Get a free quote").first.click()
    until(page, HYDRATED)
    page.keyboard.press("Escape")

    page.locator(".entry-link").first.click()

    expect(page.locator("article h1")).to_be_visible()
    assert len(page.locator("article .prose").inner_text()) > 500
    assert page.evaluate(HYDRATED)  # the document is still the first one


@pytest.mark.parametrize("prefix", ["", "/th", "/cn"])
def test_feeds_hold_every_text_of_their_language(site: Site, prefix: str) -> None:
    locale = BY_ID[prefix.strip("/") or "en"]
    expected = {f"http://localhost:3000{prefix}{text.path}" for text in all_publications() if text.is_in(locale)}

    feed = httpx.get(f"{site.url}{prefix}/feed.json").json()
    atom = ElementTree.fromstring(httpx.get(f"{site.url}{prefix}/feed.atom").content)

    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert {item["url"] for item in feed["items"]} == expected
    assert {entry.findtext(f"{_ATOM}id") for entry in atom.iter(f"{_ATOM}entry")} == expected
    assert 'href="/' not in json.dumps(feed)  # a reader shows it elsewhere
    for entry in (atom, *atom.iter(f"{_ATOM}entry")):
        assert all(entry.findtext(f"{_ATOM}{name}") for name in ("id", "title", "updated"))

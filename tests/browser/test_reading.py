"""A page that is only read: what it fetches, what it does without React, and when React starts."""

import io
import re
from collections.abc import Callable
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from site_app import colors
from site_app.routes import ROUTES
from tests.browser.server import Site
from tests.browser.waiting import until, until_true

Visit = Callable[..., Page]
_SECTIONS = """[...document.querySelectorAll('main section, footer')].map(one => one.getBoundingClientRect())
.filter(({ width, height }) => width && height).map(({ left, top, width, height }) => [left + scrollX, top + scrollY, width, height])"""
_REACT = re.compile(r"/assets/(react|core|entry)[\w.]*-")


def _asked(page: Page) -> list[str]:
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.on("websocket", lambda socket: urls.append(socket.url))
    return urls


def _react(urls: list[str]) -> list[str]:
    return [url for url in urls if _REACT.search(url) or url.startswith("ws")]


def _read(page: Page) -> None:
    """Scroll to the end, move the pointer, press keys that write nothing."""
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    page.mouse.move(300, 300)
    page.mouse.wheel(0, -400)
    page.keyboard.press("PageUp")


def test_at_the_first_sign_of_life_modules_are_fetched_and_not_run(visit: Visit) -> None:
    page = visit("/", wait=False)
    urls = _asked(page)

    _read(page)

    until_true(page, lambda: any("/assets/react-" in url for url in urls))
    page.wait_for_timeout(1500)
    assert page.evaluate("['__reactRouterContext' in window, window.__hydrated === true]") == [False, False]
    assert page.locator("link[rel=modulepreload]").first.get_attribute("fetchpriority") == "low"
    assert not [url for url in urls if url.startswith("ws")]


@pytest.mark.parametrize(
    ("path", "line"), [("/company/affiliate-program", "{ saveData: true }"), ("/th", "{ effectiveType: '2g' }")]
)
def test_nothing_is_fetched_ahead_where_data_are_dear(visit: Visit, path: str, line: str) -> None:
    page = visit(path, wait=False)
    page.add_init_script(f"Object.defineProperty(navigator, 'connection', {{ value: {line} }})")
    page.reload()
    urls = _asked(page)

    until(page, "typeof window.insights", "function")
    _read(page)
    page.wait_for_timeout(1000)

    assert _react(urls) == []


@pytest.mark.parametrize("how", ["press", "focus", "type"])
def test_react_starts_when_the_visitor_means_to_do_something(visit: Visit, how: str) -> None:
    page = visit("/contact-us", wait=False)

    match how:
        case "press":
            page.locator("main form [name=subject]").click()
        case "focus":
            page.locator("header [command=show-modal]:visible").first.focus()
        case _:
            page.locator("main form [name=subject]").fill("Looms")

    until(page, "window.__hydrated === true")
    if how == "type":
        assert page.locator("main form [name=subject]").input_value() == "Looms"


@pytest.fixture
def reader(visit: Visit) -> Callable[..., Page]:
    """Open a page on which React can never start."""

    def open_page(path: str, **options: object) -> Page:
        allowed = ("ERR_FAILED", "Failed to load resource", "interaction did not load")
        page = visit("/healthz", wait=False, allowed=allowed, **options)
        page.route(_REACT, lambda route: route.abort())
        page.goto(page.url.replace("/healthz", "") + path)
        return page

    return open_page


Reader = Callable[..., Page]


def test_the_theme_changes_without_react_and_is_remembered(reader: Reader) -> None:
    page = reader("/")
    look = """() => {
      const swatch = new Option();
      swatch.style.color = document.querySelector('meta[name=theme-color]').content;  // the build may write it shorter
      return [document.documentElement.classList.contains('dark'), swatch.style.color] }"""

    page.locator("[data-theme-switch]:visible").click()
    chosen = page.evaluate(look)
    page.locator(".bar-links a[href='/faq']").click()
    page.wait_for_url("**/faq")

    assert chosen == [True, _rgb(colors.dark()["background"])]
    assert page.evaluate(look) == chosen
    page.locator("[data-theme-switch]:visible").click()
    assert page.evaluate(look) == [False, _rgb(colors.light()["background"])]


def _rgb(color: str) -> str:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return f"rgb({red}, {green}, {blue})"


def test_links_are_plain_navigations_without_react(reader: Reader) -> None:
    page = reader("/")
    page.evaluate("window.kept = true")

    page.locator("footer a[href$='/about-us']").first.click()
    page.wait_for_url("**/company/about-us")

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("window.kept") is None


def test_browsers_may_fetch_pages_ahead_but_no_other_language(visit: Visit) -> None:
    page = visit("/", wait=False)

    rules = page.evaluate("JSON.parse(document.querySelector('script[type=speculationrules]').textContent).prefetch[0]")

    assert rules["eagerness"] != "immediate"
    assert {"not": {"selector_matches": "[data-language]"}} in rules["where"]["and"]


def test_a_language_is_chosen_and_remembered_without_react(reader: Reader) -> None:
    page = reader("/faq")
    page.locator(".bar-wide summary").click()

    page.locator(".bar-wide a[data-language=th]").click()
    page.wait_for_url("**/th/faq")

    assert [one.get("value") for one in page.context.cookies() if one.get("name") == "lang"] == ["th"]


def test_another_language_is_offered_at_the_first_sign_of_life_and_once(reader: Reader) -> None:
    page = reader("/", locale="th-TH")
    offer = page.locator(".snackbar[lang=th]")
    page.wait_for_timeout(500)
    assert offer.count() == 0

    page.mouse.move(200, 200)
    expect(offer).to_be_visible()
    offer.locator(".icon-button").click()
    page.reload()
    page.mouse.move(300, 300)
    page.wait_for_timeout(500)

    expect(offer).to_have_count(0)


def test_the_offer_leads_to_the_page_in_that_language_without_react(reader: Reader) -> None:
    page = reader("/faq", locale="zh-CN")
    page.mouse.move(200, 200)

    page.locator(".snackbar[lang=zh-Hans] .snackbar-action").click()

    page.wait_for_url("**/cn/faq")


def test_an_unknown_address_leads_home_with_a_word_about_it_without_react(reader: Reader) -> None:
    page = reader("/no/such/page")

    expect(page.locator(".snackbar-warning")).to_be_visible()
    until(page, "location.pathname + location.hash", "/")


@pytest.mark.parametrize("close", ["escape", "button", "back"])
def test_a_dialog_opens_and_closes_without_react_and_back_stays_on_the_page(reader: Reader, close: str) -> None:
    page = reader("/faq")
    page.locator("header [commandfor=quote-dialog]:visible").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    until(page, "history.state?.dialog", "quote")

    match close:
        case "escape":
            page.keyboard.press("Escape")
        case "button":
            page.locator("dialog[open] .dialog-head button").click()
        case _:
            page.go_back()

    expect(page.get_by_role("dialog")).to_be_hidden()
    until(page, "[location.pathname, history.state?.dialog ?? '']", ["/faq", ""])


@pytest.mark.parametrize("name", ["quote", "contact", "consultation"])
def test_an_address_opens_its_dialog_without_react(reader: Reader, name: str) -> None:
    page = reader(f"/faq?open={name}")

    expect(page.locator(f"#{name}-dialog")).to_be_visible()
    until(page, "location.search", "")


@pytest.mark.parametrize("scripts", [True, False], ids=["plain script", "React"])
def test_a_link_to_a_question_opens_its_answer(visit: Visit, reader: Reader, scripts: bool) -> None:
    slug = visit("/faq", wait=False).locator("main details").nth(7).get_attribute("id")
    page = (reader if scripts else visit)(f"/faq#{slug}")

    expect(page.locator(f"#{slug}")).to_have_attribute("open", "")
    assert 0 <= page.locator(f"#{slug}").evaluate("one => one.getBoundingClientRect().top") < 300


def test_an_answer_that_was_open_does_not_make_the_page_jump_when_it_is_loaded_anew(visit: Visit) -> None:
    page = visit("/faq", joined=True)
    page.locator("main details").first.locator("summary").click()
    until(page, "JSON.parse(sessionStorage['open:general_inquiries'] ?? '{}').id !== undefined", True)
    page.add_init_script(
        "new PerformanceObserver(seen => { for (const one of seen.getEntries()) window.shifted = (window.shifted ?? 0) + one.value })"
        ".observe({ type: 'layout-shift', buffered: true })"
    )
    page.reload()
    height = page.evaluate("document.documentElement.scrollHeight")

    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")
    until(page, "window.__hydrated === true")
    page.wait_for_timeout(1000)

    assert page.evaluate("document.documentElement.scrollHeight") == height
    assert page.evaluate("window.shifted ?? 0") <= 0.01


def test_a_menu_closes_on_a_click_elsewhere_and_on_escape_without_react(reader: Reader) -> None:
    page = reader("/")
    menu = page.locator(".bar-links details").first

    for close in (lambda: page.mouse.click(600, 700), lambda: page.keyboard.press("Escape")):
        menu.locator("summary").click()
        expect(menu).to_have_attribute("open", "")
        close()
        expect(menu).not_to_have_attribute("open", "")


def test_a_press_that_waits_for_react_is_shown_at_once_and_not_lost(visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    held: list[Route] = []
    page.route("**/assets/react-*.js", lambda route: held.append(route))
    page.reload()
    button = page.locator("main form button[type=submit]")

    button.click()
    until_true(page, lambda: held)
    expect(button).to_have_attribute("aria-busy", "true")
    for route in held:
        route.continue_()

    expect(page.locator("main form [name=full_name]")).to_be_focused()
    assert button.get_attribute("aria-busy") is None


def test_what_was_typed_before_react_survives_a_plain_navigation(visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    held: list[Route] = []
    page.route("**/assets/react-*.js", lambda route: held.append(route))
    page.reload()
    page.locator("main form [name=subject]").fill("Looms")
    until(page, "JSON.parse(sessionStorage['draft:message'] ?? '{}').fields?.subject", "Looms")
    page.unroute("**/assets/react-*.js")

    page.locator(".bar-wide summary").click()
    page.locator(".bar-wide a[data-language=th]").click()
    page.wait_for_url("**/th/contact-us")
    page.locator("[command=show-modal]").first.dispatch_event("pointerdown")

    expect(page.locator("main form [name=subject]")).to_have_value("Looms")


@pytest.mark.parametrize("media", ["screen", "print"])
def test_a_picture_of_the_full_page_has_every_section(visit: Visit, site: Site, media: Literal["screen", "print"]) -> None:
    page = visit("/healthz", wait=False, width=412, height=800)
    page.emulate_media(media=media)

    blank = []
    for route in ROUTES[:2]:
        page.goto(site.url + route.path)
        picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
        for left, top, width, height in page.evaluate(_SECTIONS):
            part = picture.crop((int(left), int(top), int(left + width), int(top + height)))
            if len(part.getcolors(1 << 24) or ()) < 3:
                blank.append((route.path, top))

    assert blank == []


def test_what_is_printed_has_all_the_words_of_the_page(visit: Visit) -> None:
    page = visit("/services/digital-marketing", wait=False, width=412, height=800)

    page.emulate_media(media="print")
    hidden = page.evaluate(
        """[...document.querySelectorAll('main :is(h1, h2, h3, p, li)')].filter(one => !one.closest('details, dialog, .invitation, .side-contents'))
        .filter(one => !one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
        || !one.getBoundingClientRect().height).map(one => one.textContent)"""
    )

    assert hidden == []

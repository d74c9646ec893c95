"""Choosing a language: the cookie, the state, the same page without a reload."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from site_app.core.locales import LOCALES
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import sent_frames, until, until_true, wait_for_page


def _cookie(page: Page) -> dict[str, object] | None:
    return next((dict(cookie) for cookie in page.context.cookies() if cookie.get("name") == "lang"), None)


def _choose(page: Page, language: str) -> None:
    page.locator(".bar-wide summary").click()
    _link(page, language).click()


def _link(page: Page, language: str) -> Locator:
    return page.locator(f".bar-wide a[data-language={language}]")


def test_choosing_a_language_keeps_the_position_and_lasts_for_the_session(visit: Visit) -> None:
    page = visit("/faq", wait=False)
    frames = sent_frames(page)
    hydrated(page)
    page.evaluate("window.kept = true; scrollTo({ top: 300, behavior: 'instant' })")
    until(page, "scrollY", 300)
    names = page.locator(".bar-wide a[data-language]").evaluate_all("links => links.map(link => [link.lang, link.hreflang])")
    assert names == [[locale.tag, locale.tag] for locale in LOCALES]
    assert _cookie(page) is None

    page.locator(".bar-wide summary").focus()
    for key in ("Enter", "Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url("**/th/faq")

    until(page, "[window.kept, document.documentElement.lang, scrollY]", [True, "th", 300])
    until(page, "document.activeElement.matches('.bar-wide summary')")
    until_true(page, lambda: any("on_load_internal" in frame and '"pathname":"/th/faq' in frame for frame in frames))
    cookie = _cookie(page)
    assert cookie is not None
    assert (cookie["value"], cookie["expires"], cookie["sameSite"], cookie["path"]) == ("th", -1, "Lax", "/")

    page.locator(".bar-links a[href='/th/contact-us']").first.click()
    wait_for_page(page, "/th/contact-us")
    page.go_back()
    until(page, "[location.pathname, scrollY]", ["/th/faq", 300])
    _choose(page, "en")
    wait_for_page(page, "/faq")
    assert _cookie(page) is None


def test_a_language_opened_in_a_new_tab_is_remembered_and_a_right_click_is_not(visit: Visit) -> None:
    page = visit("/faq", wait=False)
    page.locator(".bar-wide summary").click()
    _link(page, "th").click(button="right")
    assert _cookie(page) is None

    def path_in_new_tab(language: str, **options: Any) -> str:
        with page.context.expect_page() as tab:
            _link(page, language).click(**options)
        tab.value.wait_for_url("**/faq")
        return tab.value.url.removesuffix("/faq")[-3:]

    thai, cookie = path_in_new_tab("th", button="middle"), _cookie(page)
    path_in_new_tab("en", modifiers=["ControlOrMeta"])

    assert (thai, (cookie or {}).get("value")) == ("/th", "th")
    assert _cookie(page) is None


def test_the_language_of_the_page_is_not_offered(visit: Visit) -> None:
    page = visit("/th", locale="th-TH", wait=False)
    page.mouse.move(200, 200)
    page.wait_for_timeout(500)

    expect(page.locator(".snackbar")).to_have_count(0)


def test_the_offer_waits_while_a_dialog_is_open(visit: Visit) -> None:
    page = visit("/", locale="th-TH")
    offer = page.locator(".snackbar")
    page.mouse.move(200, 200)
    offer.wait_for()

    page.locator("header [commandfor=quote-dialog]:visible").click()
    page.get_by_role("dialog").wait_for()
    offer.wait_for(state="hidden")

    page.keyboard.press("Escape")
    offer.wait_for()

"""A browser stores exactly what the cookies policy lists, and nothing lasting without a choice."""

from playwright.sync_api import Page

from site_app.content.legal_values import INVENTORY, stored_item
from tests.browser.forms.filling import CONTACT_PAGE
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import until_true, wait_for_page

_STORES = ("localStorage", "sessionStorage")
_ONLY_IN_TROUBLE = {"reloaded:*", "reflex_last_reloaded_on_error"}


def _stored_names(page: Page) -> set[tuple[str, str]]:
    """Returns the kind and name of everything that the browser stores for this site."""
    names = {(store, name) for store in _STORES for name in page.evaluate(f"Object.keys({store})")}
    return names | {("cookie", str(cookie.get("name"))) for cookie in page.context.cookies()}


def test_a_reader_gets_nothing_lasting_stored(visit: Visit) -> None:
    page = visit("/", joined=True)
    page.locator(".bar-links a[href='/faq']").click()
    wait_for_page(page, "/faq")
    page.locator("main summary").first.click()
    page.reload()
    hydrated(page)

    assert {kind for kind, _ in _stored_names(page)} == {"sessionStorage"}


def test_a_long_visit_stores_exactly_what_the_policy_lists(visit: Visit) -> None:
    page = visit("/contact-us?utm_source=newsletter", joined=True, locale="th-TH")
    page.mouse.move(200, 200)
    page.locator(".snackbar[lang=th] .icon-button").click()
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    page.locator("[data-theme-switch]:visible").click()
    page.locator(".bar-links a[href='/faq']").click()
    wait_for_page(page, "/faq")
    page.locator("main summary").first.click()
    page.evaluate("scrollTo(0, 500)")
    page.go_back()
    wait_for_page(page, "/contact-us")
    page.evaluate("document.querySelector('a[data-language=cn]').click()")
    wait_for_page(page, "/cn/contact-us")
    page.reload()
    hydrated(page)

    expected = {entry.name for entry in INVENTORY} - _ONLY_IN_TROUBLE
    until_true(page, lambda: {item.name for key in _stored_names(page) if (item := stored_item(*key))} == expected)  # pyright: ignore

    assert [key for key in _stored_names(page) if not stored_item(*key)] == []  # pyright: ignore

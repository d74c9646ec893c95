"""What a browser holds after a visit is what the cookies policy lists, and nothing that lasts is kept without a choice."""

from playwright.sync_api import Page

from site_app.content.legal_values import INVENTORY, stored_item
from tests.browser.conftest import Visit, hydrated
from tests.browser.forms.filling import CONTACT_PAGE
from tests.browser.waiting import shown, until_true

_STORES = ("localStorage", "sessionStorage")
_ONLY_IN_TROUBLE = {"reloaded:*", "reflex_last_reloaded_on_error"}


def _held(page: Page) -> set[tuple[str, str]]:
    """The kind and name of everything that the browser keeps for this site."""
    held = {(store, name) for store in _STORES for name in page.evaluate(f"Object.keys({store})")}
    return held | {("cookie", str(one.get("name"))) for one in page.context.cookies()}


def test_who_only_reads_is_left_with_nothing_that_lasts(visit: Visit) -> None:
    page = visit("/", joined=True)
    page.locator(".bar-links a[href='/faq']").click()
    shown(page, "/faq")
    page.locator("main summary").first.click()
    page.reload()
    hydrated(page)

    assert {kind for kind, _ in _held(page)} == {"sessionStorage"}


def test_what_is_kept_after_a_long_visit_is_what_the_policy_lists(visit: Visit) -> None:
    page = visit("/contact-us?utm_source=newsletter", joined=True, locale="th-TH")
    page.mouse.move(200, 200)
    page.locator(".snackbar[lang=th] .icon-button").click()
    CONTACT_PAGE.fill(CONTACT_PAGE.on(page))
    page.locator("[data-theme-switch]:visible").click()
    page.locator(".bar-links a[href='/faq']").click()
    shown(page, "/faq")
    page.locator("main summary").first.click()
    page.evaluate("scrollTo(0, 500)")
    page.go_back()
    shown(page, "/contact-us")
    page.evaluate("document.querySelector('a[data-language=cn]').click()")
    shown(page, "/cn/contact-us")
    page.reload()
    hydrated(page)

    expected = {one.name for one in INVENTORY} - _ONLY_IN_TROUBLE
    until_true(page, lambda: {item.name for one in _held(page) if (item := stored_item(*one))} == expected)  # pyright: ignore

    assert [one for one in _held(page) if not stored_item(*one)] == []  # pyright: ignore

"""Page views: their contents, and the visitors who are not counted."""

import json

import pytest
from playwright.sync_api import Page

from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import until_true


def _watch(page: Page) -> list[dict[str, str]]:
    """Records the bodies given to sendBeacon, which a debugger does not see."""
    reported: list[dict[str, str]] = []
    page.expose_function("report", lambda text: reported.append(json.loads(text)))
    page.add_init_script(
        """const send = navigator.sendBeacon;
        navigator.sendBeacon = (url, text) => { report(text); return send.call(navigator, url, text) }"""
    )
    return reported


def test_every_page_is_reported_once_with_its_pattern(visit: Visit) -> None:
    page = visit("/legals/legal-notice", wait=False)
    reported = _watch(page)
    page.reload()
    until_true(page, lambda: len(reported) >= 1)
    page.evaluate("document.querySelector('a[data-language=th]').click()")
    page.wait_for_url("**/th/legals/legal-notice")
    until_true(page, lambda: len(reported) >= 2)

    assert [(view["route"], view["path"]) for view in reported] == [
        ("/legals/legal-notice", "/legals/legal-notice"),
        ("/legals/legal-notice", "/th/legals/legal-notice"),
    ]
    assert set(reported[0]) == {"route", "path", "referrer"}
    assert [cookie.get("name") for cookie in page.context.cookies()] == ["lang"]


@pytest.mark.parametrize("wish", ["doNotTrack: { value: '1' }", "globalPrivacyControl: { value: true }"])
def test_visitors_who_opt_out_are_not_counted(visit: Visit, wish: str) -> None:
    page, urls = visit("/healthz", wait=False, script=f"Object.defineProperties(navigator, {{ {wish} }})"), list[str]()
    page.on("request", lambda request: urls.append(request.url))

    page.goto(page.url.replace("/healthz", "/"))
    hydrated(page)
    # the script would be requested in an earlier idle period
    page.evaluate("new Promise(requestIdleCallback).then(() => true)")
    page.wait_for_load_state("networkidle")

    assert not [url for url in urls if "/insights/" in url]


def test_a_missing_script_is_only_a_line_in_the_console(visit: Visit) -> None:
    page = visit("/", wait=False, allowed=("page views are not counted", "ERR_FAILED"))
    page.route("**/insights/script.js", lambda route: route.abort())

    with page.expect_console_message(lambda message: "page views are not counted" in message.text):
        page.reload()

    assert page.locator(".snackbar").count() == 0

"""With the backend away the site goes on, without messages."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.away import AWAY, arrived
from tests.browser.visit import Visit
from tests.browser.waiting import sent_frames, until, until_true
from tests.support.site_server import Site


def test_without_the_server_the_page_works_and_later_reports_the_changes(visit: Visit, stoppable_site: Site) -> None:
    page = visit("/", allowed=AWAY)
    frames = sent_frames(page)
    page.locator(".bar-links a[href='/faq']").hover()
    until(page, "!!document.querySelector('link[rel=modulepreload][href*=_faq_]')")
    arrived(page)
    stoppable_site.stop()

    page.locator(".bar-links a[href='/faq']").click()
    page.wait_for_url("**/faq")
    answer = page.locator("main details").first
    answer.locator("summary").click()
    expect(answer).to_have_attribute("open", "")
    page.locator("[data-theme-switch]:visible").click()
    expect(page.locator("html.dark")).to_have_count(1)
    page.locator("header [commandfor=quote-dialog]:visible").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.locator(".snackbar").count() == 0

    stoppable_site.start()
    until_true(
        page, lambda: any('dialog_state.report","payload":{"name":"quote"' in frame for frame in frames), within_ms=30_000
    )
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_failing_provider_ends_the_startup_with_only_a_console_line(visit: Visit, start_site: Callable[..., Site]) -> None:
    site = start_site(SITE_PROVIDER_URL="http://127.0.0.1:9", SITE_STARTUP_DELAY="200ms")
    page = visit(
        "/",
        on=site,
        allowed=(*AWAY, "500"),  # page views go to the provider, which is away
        script="""window.errors = []; const { error } = console
          console.error = (...words) => { errors.push(words.join(' ')); error(...words) }
          window.busy = []; addEventListener('hydrated', () => {
          const look = () => { const now = !!document.querySelector('[aria-busy=true] main'); if (busy.at(-1) !== now) busy.push(now) };
          new MutationObserver(look).observe(document, { subtree: true, attributes: true }); look() })""",
    )

    until(page, "window.busy.join().endsWith('true,false')", within_ms=20_000)
    for call in ("countries", "currencies"):
        until(page, f"window.errors.filter((line) => line.startsWith('{call} failed')).length === 1")
    assert page.locator(".snackbar").count() == 0

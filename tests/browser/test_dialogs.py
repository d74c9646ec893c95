"""The dialogs open at once, stay in step with the state and the history, and do not disturb the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.forms.filling import QUOTE, open_rest
from tests.browser.held_requests import hold
from tests.browser.visit import STORAGE_FORBIDDEN, STORAGE_FULL, Visit, hydrated
from tests.browser.waiting import HYDRATED, LISTENING, REACT, sent_frames, until, until_true, wait_for_page

OPEN = "document.querySelector('dialog[open]')?.dataset.name ?? ''"
# how far the dialog's head covers the label of the focused field
COVERED = """form => {
  const focused = document.activeElement;
  const label = focused.labels?.[0] ?? focused;
  const head = form.closest('dialog').querySelector('.dialog-head').getBoundingClientRect();
  return form.contains(focused) ? Math.max(0, head.bottom - Math.min(label.getBoundingClientRect().top, focused.getBoundingClientRect().top)) : 0;
}"""

CLOSE_TOP = "document.querySelector('dialog[open] [command=close]').getBoundingClientRect().top"
SETTLED = "document.querySelector('dialog[open]').getAnimations().length === 0"

# Releases a pointer over the button that closes a dialog again and again while React takes over the page, and tells whether React did so
# because of it. React marks each element that it has taken over.
_RELEASED_EARLY = """window.releases = [];
const isTakenOver = element => Object.keys(element).some(name => name.startsWith('__react'));
const release = () => {
  const button = document.querySelector('#quote-dialog [command=close]');
  if (!button || !window.__reactRouterContext) return setTimeout(release);
  if (isTakenOver(button)) return;
  button.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
  window.releases.push(isTakenOver(button) ? 'React took over' : 'React went on');
  if (window.releases.length === 2) button.click();
  setTimeout(release);
};
release();"""

_AWAY = ("Failed to load resource", "ERR_FAILED", "interaction did not load")
_NO_COMMANDS = """delete HTMLButtonElement.prototype.commandForElement;
addEventListener('command', event => event.preventDefault(), true);"""


def _open(page: Page, name: str = "quote") -> None:
    page.locator(f"main [commandfor={name}-dialog]").first.click()
    expect(page.locator(f"#{name}-dialog")).to_be_visible()


def test_opening_a_dialog_by_address_keeps_the_other_query(visit: Visit) -> None:
    page = visit("/faq?utm=1&open=quote")

    expect(page.locator("#quote-dialog")).to_be_visible()
    until(page, "location.search", "?utm=1")


def test_changing_the_page_closes_the_dialog(visit: Visit) -> None:
    page = visit("/faq?open=quote")
    expect(page.locator("#quote-dialog")).to_be_visible()

    page.evaluate("document.querySelector('a[href=\"/contact-us\"]').click()")
    wait_for_page(page, "/contact-us")
    until(page, OPEN, "")


def test_no_code_of_a_dialog_is_loaded_before_its_first_opening(visit: Visit) -> None:
    page = visit("/")
    loaded = "performance.getEntriesByType('resource').filter(resource => /\\/quote_/.test(resource.name)).length"
    loaded_before = page.evaluate(loaded)

    _open(page)
    expect(page.locator("#quote-dialog form").first).to_be_visible()
    until(page, loaded, 1)
    page.keyboard.press("Escape")
    _open(page)

    assert (loaded_before, page.evaluate(loaded)) == (0, 1)


@pytest.mark.parametrize("size", [(390, 844), (1280, 900), (1920, 1080)], ids=str)
@pytest.mark.parametrize("name", ["quote", "contact", "consultation"])
def test_the_button_that_closes_a_dialog_stays_in_place_when_its_content_arrives(
    visit: Visit, name: str, size: tuple[int, int]
) -> None:
    page = visit("/", width=size[0], height=size[1], wait=False)
    requests = hold(page, f"**/{name}_en-*.js")
    page.goto(f"{page.url}?open={name}")
    requests.wait_for_first()
    until(page, SETTLED)
    top = page.evaluate(CLOSE_TOP)

    requests.release()
    expect(page.locator("dialog[open] :is(form, table)").first).to_be_visible()
    until(page, SETTLED)

    assert page.evaluate(CLOSE_TOP) == pytest.approx(top, abs=1)


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=str)
@pytest.mark.parametrize("name", ["quote", "contact"])
def test_the_button_that_sends_is_in_view_from_the_start(visit: Visit, name: str, size: tuple[int, int]) -> None:
    page = visit(f"/faq?open={name}", width=size[0], height=size[1])

    expect(page.locator("dialog[open] .submit-button")).to_be_in_viewport(ratio=1)


def test_missing_content_can_be_loaded_again(visit: Visit) -> None:
    page = visit("/", allowed=("Failed to load resource", "ERR_FAILED"))
    page.evaluate("addEventListener('preload-error', () => { window.raised = true })")
    page.route("**/quote_en-*.js", lambda route: route.abort())
    _open(page)
    try_again = page.locator("dialog[open] button:not(.icon-button)")
    expect(try_again).to_be_visible()
    assert page.evaluate("window.raised")

    page.unroute("**/quote_en-*.js")
    try_again.click()

    expect(page.locator("#quote-dialog form").first).to_be_visible()


def test_content_replaced_by_a_release_reloads_the_page_on_retry(visit: Visit) -> None:
    page = visit("/", allowed=("Failed to load resource", "ERR_FAILED"))
    page.evaluate("window.kept = true")
    page.route("**/quote_en-*.js", lambda route: route.abort() if page.evaluate("window.kept") else route.continue_())
    _open(page)

    page.locator("dialog[open] button:not(.icon-button)").click()

    expect(page.locator("#quote-dialog form").first).to_be_visible()
    assert page.evaluate("[window.kept ?? false, sessionStorage['reloaded:quote'] ?? '']") == [False, ""]


def test_a_dialog_reloads_the_page_if_a_release_replaced_react(visit: Visit) -> None:
    page = visit("/", wait=False, allowed=_AWAY)
    missing = [1]
    page.route(REACT, lambda route: route.abort() if missing else route.continue_())
    page.on("framenavigated", lambda _: missing.clear())  # the pages of the new release have other files
    page.reload()
    missing.append(1)

    _open(page)

    expect(page.locator("#quote-dialog form").first).to_be_visible()
    page.keyboard.press("Escape")
    until(page, "history.state?.dialog ?? ''", "")


def test_a_dialog_without_react_offers_other_contacts_and_its_form_once_online(visit: Visit) -> None:
    page = visit("/", wait=False, allowed=_AWAY)
    until(page, LISTENING)
    page.context.set_offline(True)
    dialog = page.locator("#quote-dialog")
    _open(page)
    expect(dialog.locator("p a")).to_be_visible()
    expect(dialog.locator(".skeleton")).to_be_hidden()

    page.context.set_offline(False)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    _open(page)

    expect(dialog.locator("form").first).to_be_visible()


@pytest.mark.parametrize(
    ("script", "reloads"), [("", 1), (STORAGE_FORBIDDEN, 0), (STORAGE_FULL, 0)], ids=["", "forbidden", "full"]
)
def test_a_dialog_without_react_reloads_at_most_once_and_offers_other_contacts(visit: Visit, script: str, reloads: int) -> None:
    page = visit("/", wait=False, allowed=_AWAY, script=script)
    page.route(re.compile(r"/assets/entry[\w.]*-"), lambda route: route.abort())  # the last file that React needs
    page.reload()
    loaded: list[int] = []
    page.on("load", lambda _: loaded.append(1))

    _open(page)
    expect(page.locator("#quote-dialog p a")).to_be_visible()
    page.wait_for_timeout(1000)  # in which a further reload would begin

    assert len(loaded) == reloads
    page.locator("#quote-dialog p a").click()
    page.wait_for_url("**/contact-us")


def test_rapid_opening_and_closing_ends_in_the_last_state(visit: Visit) -> None:
    page = visit("/")

    page.evaluate(
        """async () => {
          const dialog = document.querySelector('#quote-dialog');
          for (let n = 0; n < 20; n++) {
            dialog.showModal(); await new Promise(r => setTimeout(r, n % 5));
            dialog.close(); await new Promise(r => setTimeout(r, n % 3));
          }
          dialog.showModal();
        }"""
    )

    until(page, "history.state.dialog ?? ''", "quote")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(OPEN) == "quote"
    page.keyboard.press("Escape")
    until(page, "history.state.dialog ?? ''", "")
    assert page.evaluate(OPEN) == ""


def test_closing_a_dialog_does_not_wait_until_react_has_taken_over_the_page(visit: Visit) -> None:
    page = visit("/", wait=False)
    page.add_init_script(_RELEASED_EARLY)
    page.reload()

    page.locator("main [commandfor=quote-dialog]").first.click()

    until(page, HYDRATED)
    assert set(page.evaluate("window.releases")) == {"React went on"}
    assert page.evaluate(OPEN) == ""
    _open(page)
    expect(page.locator("#quote-dialog form").first).to_be_visible()


@pytest.mark.parametrize("with_react", [True, False], ids=["React", "plain script"])
def test_every_way_of_closing_returns_the_focus_and_leaves_no_history(visit: Visit, with_react: bool) -> None:
    page = visit("/faq", wait=False, allowed=("ERR_FAILED", "Failed to load resource", "interaction did not load"))
    if not with_react:
        page.route(REACT, lambda route: route.abort())
        page.evaluate("sessionStorage['reloaded:quote'] = 1")  # a reload was tried already, and did not help
    page.goto(page.url.replace("/faq", "/"))
    if with_react:
        hydrated(page)

    for close_dialog in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.mouse.click(20, 400),
        lambda: page.locator("dialog[open] .dialog-head button").click(),
        page.go_back,
    ):
        _open(page)
        until(page, "history.state?.dialog ?? ''", "quote")

        close_dialog()

        expect(page.get_by_role("dialog")).to_be_hidden()
        until(page, "document.activeElement.getAttribute('commandfor')", "quote-dialog")
        until(page, "history.state?.dialog ?? ''", "")
    if with_react:
        page.go_forward()  # reopens the dialog that going back had closed
        until(page, OPEN, "quote")
        page.go_back()
        until(page, OPEN, "")
    page.go_back()
    until(page, "location.pathname", "/faq")


def test_focus_stays_inside_and_the_page_behind_is_inert_and_still(visit: Visit) -> None:
    page = visit("/")
    _open(page)

    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog[open]')")
    page.mouse.move(20, 400)
    _wheel(page)

    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.elementFromPoint(20, 400).closest('main')") is None


def _wheel(page: Page) -> None:
    """Turns the wheel, and waits for the frames in which the page would scroll."""
    page.evaluate("addEventListener('wheel', () => { window.turned = true }, { passive: true })")
    page.mouse.wheel(0, 600)
    until(page, "window.turned === true")
    page.evaluate("(async () => { for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame) })()")


def test_tabbing_backwards_no_field_is_covered_by_the_head(visit: Visit) -> None:
    page = visit(QUOTE.path, width=360, height=640)  # the longest form
    open_rest(QUOTE.on(page))
    QUOTE.button(page).focus()

    covered = []
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        covered.append(QUOTE.on(page).evaluate(COVERED))

    assert max(covered) == 0


def test_focus_returns_to_the_menu_button_when_the_opener_went_with_the_drawer(visit: Visit) -> None:
    page = visit("/", width=360)
    opener = page.locator("#drawer [commandfor=consultation-dialog]")
    page.locator(".bar-narrow").click()
    opener.click()
    expect(page.locator("#consultation-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    until(page, "document.activeElement.matches('.bar-narrow')")

    page.locator(".bar-narrow").click()
    opener.evaluate(  # closed before it was painted
        "async (button) => { button.focus(); button.click(); await null; document.querySelector('dialog[open]').close() }"
    )
    until(page, "document.activeElement.matches('.bar-narrow')")
    until(page, "history.state?.dialog ?? ''", "")


def test_a_dialog_closed_without_the_server_stays_closed_on_reload(visit: Visit) -> None:
    page = visit("/", allowed=("WebSocket",))
    _open(page)
    until(page, "JSON.parse(sessionStorage['open:dialog']).id", "quote")
    page.wait_for_load_state("networkidle")
    # the report of the closing is lost with the connection
    page.evaluate("WebSocket.prototype.send = () => {}")
    page.keyboard.press("Escape")
    until(page, "history.state?.dialog ?? ''", "")

    frames = sent_frames(page)
    page.reload()
    hydrated(page)

    until_true(page, lambda: any('dialog_state.report","payload":{"name":""' in frame for frame in frames))
    assert page.evaluate(OPEN) == ""


def test_without_invoker_commands_and_closedby_buttons_and_backdrop_still_work(visit: Visit) -> None:
    page = visit(
        "/",
        wait=False,
        script="""delete HTMLButtonElement.prototype.commandForElement; delete HTMLDialogElement.prototype.closedBy;
        addEventListener('DOMContentLoaded', () => {
          for (const button of document.querySelectorAll('[command]')) button.addEventListener('command', e => e.preventDefault());
          for (const dialog of document.querySelectorAll('dialog')) {
            dialog.addEventListener('command', e => e.preventDefault()); dialog.setAttribute('closedby', 'closerequest');
            dialog.addEventListener('cancel', () => {});
          }
        });""",
    )
    page.locator("main [commandfor=quote-dialog]").first.click()
    until(page, OPEN, "quote")

    page.locator("dialog[open] .dialog-head button").click()

    until(page, OPEN, "")


def test_a_click_while_the_invoker_polyfill_is_on_its_way_is_not_lost(visit: Visit) -> None:
    page = visit("/healthz", wait=False, script=_NO_COMMANDS)
    requests = hold(page, "**/invoker_polyfill-*.js")
    page.goto(page.url.replace("/healthz", "/"))
    requests.wait_for_first()
    page.locator("main [commandfor=quote-dialog]").first.click()

    requests.release()

    until(page, OPEN, "quote")


def test_without_popovers_the_page_works(visit: Visit) -> None:
    page = visit(
        "/",
        wait=False,
        width=360,
        script="""delete HTMLElement.prototype.popover; delete Element.prototype.checkVisibility;
        const supports = CSS.supports; CSS.supports = (...asked) => !`${asked}`.includes('popover') && supports.apply(CSS, asked);
        for (const name of ['querySelector', 'querySelectorAll']) {
          const real = Document.prototype[name];
          Document.prototype[name] = function (what) {
            if (what.includes(':popover-open')) throw new SyntaxError(what);
            return real.call(this, what);
          };
        }"""
        + _NO_COMMANDS
        + "addEventListener('beforetoggle', event => event.target.matches('.drawer') && event.preventDefault(), true)",
    )
    until(page, LISTENING)
    drawer, button = page.locator("#drawer"), page.locator(".bar-narrow")

    button.evaluate("button => button.click()")
    expect(drawer).to_have_attribute("data-open", "")
    drawer.locator("[popovertarget]").evaluate("button => button.click()")
    expect(drawer).not_to_have_attribute("data-open")
    button.evaluate("button => button.click()")
    drawer.locator("[commandfor=quote-dialog]").evaluate("button => button.click()")
    until(page, OPEN, "quote")
    expect(drawer).not_to_have_attribute("data-open")
    page.keyboard.press("Escape")

    until(page, "document.activeElement.matches('.bar-narrow')")

"""Pages and states written as in Reflex's documentation work without a list, a mark or a registration anywhere."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.held_requests import HeldRequests, hold
from tests.browser.other_project import running
from tests.browser.waiting import HYDRATED, until

FILES_OF_REACT = re.compile(r"/assets/(?!(?:page|start|replay|style|react)-)[^/]+\.js$")  # all but the page's own scripts

# Presses "b" in the field "Keys" when React has taken over the page and what was done before has not been repeated yet.
KEY_WHEN_REACT_TAKES_OVER = """
addEventListener('hydrated', () => {
  const field = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === 'Keys').control;
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', bubbles: true }));
}, { once: true });
"""

# Ticks the box "Agreed" at the same moment.
TICK_WHEN_REACT_TAKES_OVER = """
addEventListener('hydrated', () => {
  [...document.querySelectorAll('label')].find(({ textContent }) => textContent === 'Agreed').control.click();
}, { once: true });
"""


@pytest.fixture(scope="module")
def project_url() -> Iterator[str]:
    with running(Path(__file__).parent / "app", "ordinary") as url:
        yield url


@pytest.fixture
def page(browser: Browser, project_url: str) -> Iterator[Page]:
    page = browser.new_page(base_url=project_url, locale="en-GB")
    complaints: list[str] = []
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert complaints == []


@pytest.fixture
def held_react(page: Page) -> HeldRequests:
    """Holds back React's files until they are released."""
    return hold(page, FILES_OF_REACT)


def open_page(page: Page, path: str) -> None:
    """Opens the page with its script and without React."""
    page.goto(path)
    page.wait_for_function("() => !window.onclick")


def test_a_page_is_read_without_react_or_a_socket(page: Page) -> None:
    sockets: list[object] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.goto("/")

    expect(page.get_by_text("Few")).to_be_visible()
    page.wait_for_load_state("networkidle")

    assert page.evaluate("window.hydratedAt") is None
    assert not sockets


def test_vars_computed_vars_conditions_and_lists_follow_a_state(page: Page) -> None:
    page.goto("/")

    page.get_by_role("button", name="More").click()
    expect(page.locator("#count")).to_have_text("1")
    expect(page.locator("#doubled")).to_have_text("2")
    expect(page.get_by_text("Exactly one")).to_be_visible()
    page.get_by_role("button", name="Add Bob").click()
    page.get_by_role("listitem").filter(has_text="Bob").click()
    expect(page.locator("#count")).to_have_text("11")
    expect(page.get_by_text("Many")).to_be_visible()
    page.get_by_text("tea: 2.5").click()
    expect(page.locator("#count")).to_have_text("111")


def test_chains_background_events_and_redirects_work(page: Page) -> None:
    page.goto("/")

    page.get_by_role("button", name="Chain").click()
    expect(page.locator("#count")).to_have_text("15")
    expect(page.locator("#name")).to_be_focused()
    page.get_by_role("button", name="Slowly").click()
    expect(page.locator("#count")).to_have_text("18")
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Fields")).to_be_visible()


def test_presses_before_react_are_all_answered(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/")

    for _ in range(3):
        page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="More")).to_have_attribute("aria-busy", "true")
    held_react.release()

    expect(page.locator("#count")).to_have_text("3")
    expect(page.get_by_role("button", name="More")).not_to_have_attribute("aria-busy", "true")


def test_a_press_with_a_key_before_react_is_answered(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/")

    for key in ("Shift", "Alt"):
        page.get_by_role("button", name="More").click(modifiers=[key])  # pyright: ignore[reportArgumentType]
    held_react.release()

    expect(page.locator("#count")).to_have_text("2")


def test_a_key_while_react_takes_over_is_answered_once_and_after_what_was_done_before(page: Page) -> None:
    page.add_init_script(KEY_WHEN_REACT_TAKES_OVER)
    open_page(page, "/fields")
    keys = page.get_by_label("Keys")

    keys.press("a")
    expect(page.locator("#keys")).to_have_text(re.compile("^a b"))
    keys.press("c")

    expect(page.locator("#keys")).to_have_text("a b c")


def test_a_box_that_is_ticked_while_react_takes_over_stays_ticked(page: Page) -> None:
    page.add_init_script(TICK_WHEN_REACT_TAKES_OVER)
    open_page(page, "/fields")

    page.get_by_role("button", name="Green").click()

    expect(page.locator("#color")).to_have_text("green")
    expect(page.locator("#agreed")).to_have_text("true")
    expect(page.get_by_label("Agreed")).to_be_checked()
    page.wait_for_timeout(500)  # an answer that came twice would have undone it
    expect(page.locator("#agreed")).to_have_text("true")


def test_presses_are_answered_however_long_react_takes(page: Page, held_react: HeldRequests) -> None:
    page.clock.install()
    open_page(page, "/")

    page.get_by_role("button", name="More").click()
    for _ in range(2):
        page.clock.run_for(20_000)
        page.get_by_role("button", name="More").click()
    page.clock.resume()
    held_react.release()

    expect(page.locator("#count")).to_have_text("3")


def test_a_press_before_the_script_of_the_page_is_answered(page: Page) -> None:
    requests = hold(page, re.compile(r"/assets/(page|entry)-"))
    page.goto("/", wait_until="commit")

    page.get_by_role("button", name="More").click()
    page.wait_for_function("() => window.early?.some(({ type }) => type === 'click')")
    requests.release()

    expect(page.locator("#count")).to_have_text("1")


def test_changes_before_react_reach_the_state(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/fields")

    page.get_by_label("Amount").fill("11")
    page.get_by_label("Choice").select_option("c")
    page.get_by_label("Agreed").check()
    page.get_by_label("Keys").press_sequentially("ab")
    page.get_by_label("Text", exact=True).fill("tea")
    page.get_by_label("Plain").focus()
    held_react.release()

    expect(page.locator("#amount")).to_have_text("11")
    expect(page.locator("#choice")).to_have_text("c")
    expect(page.locator("#agreed")).to_have_text("true")
    expect(page.locator("#keys")).to_have_text("a b")
    expect(page.locator("#text")).to_have_text("tea")
    expect(page.locator("#left")).to_have_text("tea")
    expect(page.get_by_label("Choice")).to_have_value("c")
    expect(page.get_by_label("Agreed")).to_be_checked()
    expect(page.get_by_label("Text", exact=True)).to_have_value("tea")


def test_untouched_fields_send_no_events(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/fields")

    page.get_by_role("button", name="Green").click()
    held_react.release()

    expect(page.locator("#color")).to_have_text("green")
    expect(page.locator("#events")).to_have_text("0")


def test_a_form_that_was_sent_before_react_is_sent(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/fields")

    page.get_by_label("Form text").fill("hello")
    page.get_by_role("button", name="Send").click()
    held_react.release()

    expect(page.locator("#sent")).to_contain_text("hello")


def test_fields_of_every_kind_reach_the_state(page: Page) -> None:
    page.goto("/fields")

    page.get_by_label("Area").fill("a long text")
    expect(page.locator("#text")).to_have_text("a long text")
    page.get_by_role("button", name="Green").click()
    expect(page.locator("#color")).to_have_text("green")
    page.get_by_role("button", name="Large").click()
    expect(page.locator("#size")).to_contain_text("large")
    page.get_by_role("button", name="Move").click()
    expect(page.locator("#street")).to_have_text("High Street 7")


def test_style_props_are_in_the_page_before_react(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/")

    assert page.get_by_role("button", name="More").evaluate("element => getComputedStyle(element).paddingTop") == "16px"
    assert page.locator("#wide").evaluate("element => getComputedStyle(element).width") == "200px"
    assert page.locator("style[data-emotion]").evaluate_all(
        "all => all.every((style) => style.parentElement === document.head)"
    )
    page.get_by_role("button", name="More").click()
    expect(page.locator("#bar")).to_have_css("width", "10px")
    assert page.get_by_role("button", name="More").evaluate("element => getComputedStyle(element).paddingTop") == "16px"


def test_a_page_with_on_load_and_browser_storage_starts_by_itself(page: Page) -> None:
    page.goto("/stored")

    expect(page.locator("#loaded")).to_have_text("true")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator("#nickname")).to_have_text("Grace")
    page.reload()
    expect(page.locator("#nickname")).to_have_text("Grace")


def test_a_reloaded_page_shows_the_state_of_its_tab(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More").click()
    expect(page.locator("#count")).to_have_text("1")

    page.reload()

    expect(page.locator("#count")).to_have_text("1")


def test_parts_of_radix_themes_work_on_their_page(page: Page) -> None:
    page.goto("/themed")

    expect(page.get_by_role("slider")).to_be_visible()
    page.get_by_role("slider").press("ArrowRight")
    expect(page.locator("#days")).to_have_text("11")
    page.get_by_role("combobox").click()
    page.get_by_role("option", name="mobile").click()
    expect(page.locator("#service")).to_have_text("mobile")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("dialog", name="A dialog")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("tab", name="Second").click()
    expect(page.get_by_text("Second content")).to_be_visible()
    expect(page.locator("#tab")).to_have_text("second")


def test_presses_on_parts_of_radix_themes_before_react_are_answered(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/themed")

    page.get_by_role("tab", name="Second").click()
    page.get_by_role("button", name="Open").click()
    held_react.release()

    expect(page.get_by_role("dialog", name="A dialog")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Second content")).to_be_visible()
    expect(page.locator("#tab")).to_have_text("second")


@pytest.mark.parametrize("is_pressed", [True, False])
def test_a_form_sent_before_react_is_sent_after_the_text_that_was_typed(
    page: Page, held_react: HeldRequests, is_pressed: bool
) -> None:
    open_page(page, "/themed")

    page.get_by_placeholder("Draft").press_sequentially("tea")
    if is_pressed:
        page.get_by_role("button", name="Keep").click()
    else:
        page.get_by_placeholder("Draft").press("Enter")
    held_react.release()

    expect(page.locator("#kept")).to_have_text("tea")
    expect(page.get_by_placeholder("Draft")).to_have_value("")


def test_a_context_menu_before_react_is_the_pages_own(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/")

    page.get_by_text("Wide").click(button="right")
    held_react.release()

    expect(page.locator("#count")).to_have_text("7")


def test_the_style_of_radix_themes_stays_on_its_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="More").click()
    expect(page.locator("#count")).to_have_text("1")
    assert page.locator("link[href*=radix]").count() == 0

    page.get_by_role("link", name="Parts").click()
    expect(page.get_by_role("slider")).to_be_visible()
    assert page.locator("link[href*=radix]").count() == 1
    page.get_by_role("link", name="Counter").click()
    expect(page.get_by_role("button", name="More")).to_be_visible()
    assert page.locator("link[href*=radix]").count() == 0
    assert page.locator(".radix-themes").count() == 0
    expect(page.locator("#count")).to_have_text("1")


def test_colors_of_radix_are_seen_on_plain_elements(page: Page) -> None:
    page.goto("/painted")

    expect(page.locator("#green")).to_have_css("background-color", "rgb(70, 167, 88)")


def test_a_link_whose_handler_prevents_it_is_not_followed(page: Page) -> None:
    page.goto("/themed")

    page.get_by_role("link", name="Stay").click()

    expect(page.locator("#tab")).to_have_text("stayed")
    page.wait_for_timeout(300)
    assert page.url.rstrip("/").endswith("/themed")
    page.get_by_role("link", name="Elsewhere").click()
    expect(page.get_by_role("heading", name="Counter")).to_be_visible()
    assert page.locator("link[href*=radix]").count() == 0


def test_links_that_were_pressed_before_react_are_not_followed(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/")

    page.get_by_role("link", name="Prevented").click()
    page.get_by_role("link", name="Top").click()
    held_react.release()

    expect(page.locator("#count")).to_have_text("2")
    assert page.url.rstrip("/#").endswith(page.evaluate("origin"))


def test_a_page_that_listens_to_the_window_starts_by_itself(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/listening")
    until(page, HYDRATED)
    page.evaluate("navigator.clipboard.writeText('tea')")

    page.keyboard.press("a")
    expect(page.locator("#keys")).to_have_text("a")
    page.keyboard.press("Control+v")

    expect(page.locator("#pasted")).to_contain_text("tea")


def test_a_page_with_on_unmount_notices_that_a_link_leaves_it(page: Page) -> None:
    tokens: list[str] = []
    page.on("websocket", lambda socket: tokens.append(parse_qs(urlsplit(socket.url).query)["token"][0]))
    page.goto("/leaving")
    expect(page.locator("#visits")).to_have_text("1-0")

    document = hold(page, re.compile("/themed/?$"))
    page.get_by_role("link", name="Parts").click()
    document.wait_for_first()
    page.wait_for_timeout(500)
    document.release()
    page.wait_for_function("() => window.hydratedAt && performance.getEntriesByType('navigation')[0].type === 'reload'")
    expect(page.get_by_role("slider")).to_be_visible()
    page.go_back()

    expect(page.locator("#visits")).to_have_text("2-1")
    page.wait_for_timeout(1000)
    expect(page.locator("#visits")).to_have_text("2-1")
    assert (
        len(tokens) == 3
    )  # one for each document: a second of the first one would be taken for another tab, and get a token of its own
    assert len(set(tokens)) == 1


def test_a_page_that_a_handler_leads_to_is_mounted_and_loaded_once(page: Page) -> None:
    page.goto("/")

    page.get_by_role("button", name="Arrive").click()
    expect(page.locator("#visits")).to_have_text("1-1")
    page.get_by_role("link", name="Counter").click()
    expect(page.get_by_role("heading", name="Counter")).to_be_visible()
    page.go_back()
    expect(page.locator("#visits")).to_have_text("2-2")

    page.go_back()
    page.get_by_role("button", name="More").click()
    expect(page.locator("#count")).to_have_text("1")
    page.go_forward()
    expect(page.locator("#visits")).to_have_text("3-3")
    page.wait_for_timeout(1000)
    expect(page.locator("#visits")).to_have_text("3-3")


SLOW_SOCKET = """{
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (frame) { setTimeout(() => send.call(this, frame), 300); };
}"""


@pytest.mark.parametrize("field", ["Word", "Story"])
@pytest.mark.parametrize("key_ms", [30, 60, 120, 200])
def test_no_letter_that_starts_react_is_lost(page: Page, field: str, key_ms: int) -> None:
    open_page(page, "/typing")
    box = page.get_by_label(field)

    box.press_sequentially("hello world", delay=key_ms)

    expect(box).to_have_value("hello world")
    expect(page.locator(f"#{field.lower()}")).to_have_text("hello world")
    expect(box).to_have_value("hello world")


@pytest.mark.parametrize("field", ["Word", "Story"])
def test_no_letter_is_lost_on_a_slow_line(page: Page, held_react: HeldRequests, field: str) -> None:
    page.add_init_script(SLOW_SOCKET)
    open_page(page, "/typing")
    box = page.get_by_label(field)

    box.press_sequentially("hello", delay=60)
    held_react.release()
    box.press_sequentially(" world", delay=120)
    until(page, HYDRATED)
    box.press_sequentially(", it is me", delay=60)

    expect(page.locator(f"#{field.lower()}")).to_have_text("hello world, it is me")
    expect(box).to_have_value("hello world, it is me")


def test_a_handler_may_change_the_text_that_started_react(page: Page) -> None:
    open_page(page, "/typing")

    page.get_by_label("Capitals").press_sequentially("tea", delay=60)
    expect(page.get_by_label("Capitals")).to_have_value("TEA")
    page.get_by_label("Note").press_sequentially("tea", delay=60)
    page.get_by_label("Note").press("Enter")

    expect(page.locator("#notes")).to_have_text("tea")
    expect(page.get_by_label("Note")).to_have_value("")


def test_a_number_that_is_typed_before_react_stays(page: Page) -> None:
    open_page(page, "/typing")

    page.get_by_label("Count").press("End")
    page.get_by_label("Count").press_sequentially("123", delay=60)

    expect(page.locator("#count")).to_have_text("123")
    expect(page.get_by_label("Count")).to_have_value("0123")


def test_a_page_that_shows_whether_it_is_hydrated_starts_by_itself(page: Page) -> None:
    page.goto("/hydrated")

    expect(page.get_by_text("Ready")).to_be_visible()


def test_a_page_that_shows_its_address_starts_by_itself(page: Page) -> None:
    page.goto("/address?id=42")

    expect(page.locator("#product")).to_have_text("42")


def test_a_scroll_before_react_reaches_its_handler_once(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/scrolled")

    page.locator("#box").hover()
    for _ in range(5):
        page.mouse.wheel(0, 20)
        page.wait_for_timeout(50)
    held_react.release()

    expect(page.locator("#scrolls")).to_have_text("1")


def test_an_entry_that_another_tab_removes_is_gone(browser: Browser, project_url: str) -> None:
    context = browser.new_context(base_url=project_url)
    page, other = context.new_page(), context.new_page()
    for tab in (page, other):
        tab.goto("/stored")
        expect(tab.locator("#loaded")).to_have_text("true")
    page.get_by_role("button", name="Share").click()
    expect(other.locator("#shared")).to_have_text("Ada")

    page.get_by_role("button", name="Forget").click()

    expect(page.locator("#shared")).to_have_text("")
    expect(other.locator("#shared")).to_have_text("")
    context.close()


def test_events_that_a_handler_names_in_a_call_are_accepted(page: Page) -> None:
    page.goto("/asking")
    answer = page.locator("#answer")

    page.get_by_role("button", name="By name").click()
    expect(answer).to_have_text("HTML")
    page.get_by_role("button", name="By function").click()
    expect(answer).to_have_text("Asking")
    page.get_by_role("button", name="By constant").click()
    expect(answer).to_have_text("BODY")
    page.get_by_role("button", name="By loop").click()
    expect(answer).to_have_text("<HEAD>")
    page.get_by_role("button", name="Push").click()

    expect(page.locator("#speed")).to_have_text("42")
    expect(answer).to_have_text("42 mph")


def test_the_reply_to_a_script_of_on_load_arrives_once(page: Page) -> None:
    sockets: list[object] = []
    page.on("websocket", lambda socket: sockets.append(socket))

    page.goto("/titled")

    expect(page.locator("#title")).to_have_text("Titled")
    page.wait_for_timeout(1000)  # a refused reply would make the browser connect again and again
    assert len(sockets) == 1


@pytest.mark.parametrize("suffix", ["b" * 3000, "ก" * 400, "b#access_token=" + "c" * 8000])
def test_a_page_with_a_long_address_has_a_state(page: Page, suffix: str) -> None:
    page.goto(f"/address?id={suffix}")

    expect(page.locator("#product")).to_contain_text(suffix.partition("#")[0])


# Lets a test send the last event again: Reflex itself waits for the answer to one event before it sends the next.
RESENDABLE = """(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
        if (String(data).startsWith("42")) window.resend = () => send.call(this, data);
        return send.call(this, data);
    };
})()"""


def test_the_console_says_that_an_event_was_refused(browser: Browser, project_url: str) -> None:
    page = browser.new_page(base_url=project_url)
    page.add_init_script(RESENDABLE)
    page.goto("/asking")
    add, whole = page.get_by_role("button", name="Add"), page.locator("#whole")
    add.click()
    expect(whole).to_have_text("1")

    with page.expect_console_message(lambda message: "a value has another type" in message.text):
        page.get_by_label("Whole").fill("2.5")
    with page.expect_console_message(lambda message: "comes too soon after many others" in message.text):
        page.evaluate("() => { for (let count = 0; count < 200; count++) resend(); }")
    page.wait_for_timeout(3000)
    before = whole.inner_text()
    for _ in range(10):  # the socket may still be closed
        add.click()
        page.wait_for_timeout(500)
        if whole.inner_text() != before:
            break

    expect(whole).not_to_have_text(before)
    page.close()


SEND = """([name, payload]) => new Promise((resolve) => {
    const token = crypto.randomUUID();
    const socket = new WebSocket(`${origin.replace("http", "ws")}/_event/?EIO=4&transport=websocket&token=${token}`);
    const seen = [];
    socket.onmessage = ({ data }) => {
        if (data.startsWith("0")) socket.send("40/_event,");
        else if (data.startsWith("40")) {
            socket.send(`42/_event,${JSON.stringify(["event", { name, payload, router_data: { pathname: "/" } }])}`);
            setTimeout(() => resolve(["open", seen.join()]), 700);
        } else if (data.startsWith("42")) seen.push(data);
    };
    socket.onclose = ({ code }) => resolve([code, seen.join()]);
})"""
COUNTER = "reflex___state____state.ordinary___states____counter_state"
FIELDS = "reflex___state____state.ordinary___states____fields_state"


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        (f"{COUNTER}.setvar", {"var_name": "count", "value": 7}),
        ("reflex___state____state.ordinary___states____unbound_state.touch", {}),
        ("reflex___state____state.hydrate", {}),
    ],
)
def test_an_event_that_no_page_binds_closes_the_socket(page: Page, name: str, payload: dict) -> None:
    page.goto("/")

    outcome, reply = page.evaluate(SEND, [name, payload])

    assert outcome == 1008
    assert "count" not in reply


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        (f"{COUNTER}.increment", {"by": "x"}),
        (f"{COUNTER}.increment", {"by": True}),
        (f"{COUNTER}.increment", {"by": None}),
        (f"{COUNTER}.increment", {"by": 1, "more": 1}),
        (f"{COUNTER}.add_name", {}),
        (f"{FIELDS}.set_color", {"color": "blue"}),
        (f"{FIELDS}.set_size", {"size": "huge"}),
        (f"{FIELDS}.set_agreed", {"value": 1}),
        (f"{FIELDS}.move", {"address": {"street": 1, "number": "x"}}),
        (f"{FIELDS}.send", {"form_data": [1]}),
    ],
)
def test_a_payload_of_another_type_runs_no_handler(page: Page, name: str, payload: dict) -> None:
    page.goto("/")

    outcome, reply = page.evaluate(SEND, [name, payload])

    assert outcome == "open"
    assert "a value has another type" in reply
    assert "reflex___state" not in reply


def test_a_payload_of_the_right_type_runs_the_handler(page: Page) -> None:
    page.goto("/")

    outcome, reply = page.evaluate(SEND, [f"{COUNTER}.increment", {"by": 3}])

    assert outcome == "open"
    assert json.loads(reply.partition(",")[2])[1]["delta"][COUNTER]["count_rx_state_"] == 3


def test_a_component_of_the_project_works(page: Page) -> None:
    page.goto("/local")

    page.get_by_role("button", name="Hello 0 effect").click()

    expect(page.locator("#picked")).to_have_text("1")


@pytest.mark.parametrize(("element", "note"), [("#pad", "move"), ("#exit", "exit"), ("#door", "enter,leave")])
def test_an_event_of_the_pointer_starts_react(page: Page, element: str, note: str) -> None:
    open_page(page, "/pointed")

    page.locator(element).hover()
    page.locator("h1").hover()

    expect(page.locator("#notes")).to_contain_text(note)


def test_events_of_the_pointer_before_react_are_repeated_in_their_order(page: Page, held_react: HeldRequests) -> None:
    open_page(page, "/pointed")

    page.locator("#pad").hover()
    page.get_by_text("Between").hover()
    page.locator("#door").hover()
    page.locator("#exit").hover()
    page.locator("#passage").hover()
    page.mouse.wheel(0, 10)
    page.get_by_text("More").click()
    page.wait_for_timeout(200)  # a browser may tell of the opened element after the next key
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#passage'))")
    page.keyboard.press("Control+c")
    page.wait_for_timeout(200)
    held_react.release()

    expect(page.locator("#notes")).to_have_text("move,enter,leave,exit,wheel,toggle,copy")


def test_pages_that_nobody_presses_show_what_react_draws(page: Page) -> None:
    page.add_init_script("localStorage.setItem('theme', 'dark')")
    html = page.request.get("/alone").text()
    built = re.findall(r"\d{19}", html)
    page.goto("/alone")

    expect(page.locator(".rt-AvatarImage")).to_be_visible()
    expect(page.locator("#notes")).to_have_text("loaded")
    expect(page.locator("#icon svg")).to_be_visible()
    expect(page.locator("#effect")).to_have_text("ran")
    expect(page.locator("#mode")).to_have_text("Dark")
    expect(page.locator("#nanoseconds")).not_to_have_text(built[0])
    page.get_by_role("button", name="Prefer").click()
    expect(page.locator("#greeting")).to_have_text("You like tea")
    page.evaluate("sessionStorage.clear()")  # as in another tab
    page.reload()
    expect(page.locator("#greeting")).to_have_text("You like tea")


def test_a_page_shows_the_year_of_the_visit_and_answers_the_first_press(browser: Browser, project_url: str) -> None:
    page = browser.new_page(base_url=project_url)  # React reports to the console that the year differs, as in any Reflex app
    page.clock.set_system_time("2050-01-02")
    page.goto("/dated")
    expect(page.locator("#year")).to_have_text("© 2050")

    page.get_by_role("button", name="Note").click()

    expect(page.locator("#notes")).to_have_text("pressed")
    page.close()


def test_the_first_press_on_a_temporal_event_is_answered(page: Page) -> None:
    page.goto("/passing", wait_until="networkidle")  # before, the press is dropped, as in any Reflex app

    page.get_by_role("button", name="Pass").click()

    expect(page.locator("#notes")).to_have_text("passed")


def test_a_memo_shows_what_the_browser_keeps(page: Page) -> None:
    page.goto("/stored")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator("#nickname")).to_have_text("Grace")
    page.evaluate("sessionStorage.clear()")  # as in another tab

    page.goto("/badge")

    expect(page.locator("#badge")).to_have_text("Grace")


def test_an_effect_in_the_script_of_a_page_runs_by_itself(page: Page) -> None:
    page.goto("/ticker")

    expect(page.locator("#ticker")).to_have_text("ticked")


def test_the_style_of_a_class_is_seen_at_first_and_in_a_part_that_a_state_shows_later(page: Page) -> None:
    page.goto("/boxed")
    expect(page.locator("#first")).to_have_css("background-color", re.compile(r"rgb\(70, 167, 88\)|color\("))

    page.get_by_role("button", name="More").click()

    color = page.locator("#first").evaluate("(box) => getComputedStyle(box).backgroundColor")
    expect(page.locator("#second")).to_have_css("background-color", color)


def test_components_have_states_of_their_own(page: Page) -> None:
    page.goto("/tallies")

    page.locator("#one").get_by_role("button").click()
    page.locator("#two").get_by_role("button").dblclick()

    expect(page.locator(".tally")).to_have_text(["1", "2"])


def test_enter_sends_a_form_that_has_more_fields_than_its_handler_reads(page: Page) -> None:
    page.goto("/letter", wait_until="networkidle")  # until React runs, Enter begins a new line, as in any Reflex app

    page.get_by_label("Word").press_sequentially("hello")
    page.get_by_label("Word").press("Enter")

    expect(page.locator("#sent")).to_have_text("'hello'")
    expect(page.frame_locator("iframe").get_by_text("Inside")).to_be_visible()

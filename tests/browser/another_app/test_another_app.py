"""The static pages, the guard, the phone input and the reliable form work in a project without anything else of this site."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.browser.other_project import running


@pytest.fixture(scope="module")
def project_url() -> Iterator[str]:
    with running(Path(__file__).parent / "app", "another_app") as url:
        yield url


@pytest.fixture
def page(browser: Browser, project_url: str) -> Iterator[Page]:
    page = browser.new_page(locale="en-GB")
    complaints: list[str] = []
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert complaints == []


def test_the_page_is_read_without_a_socket_and_orders_with_one(page: Page, project_url: str) -> None:
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.goto(project_url)
    expect(page.get_by_text("We send tea.")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert sockets == []

    page.get_by_label("Your name").focus()
    expect(page.locator(".phone[data-ready]")).to_be_visible()
    page.get_by_role("button", name="Order").click()
    expect(page.get_by_label("Your name")).to_be_focused()  # a required field is missing, so nothing is sent
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Telephone").press_sequentially("02079460000")
    page.get_by_role("button", name="Order").click()

    expect(page.get_by_text("Thank you, Ada 020 7946 0000")).to_be_visible()
    assert len(sockets) == 1


def test_with_a_silent_socket_an_order_is_sent_by_http(page: Page, project_url: str) -> None:
    page.route_web_socket("**/_event/**", lambda socket: None)
    page.goto(project_url)
    page.get_by_label("Your name").fill("Ada")
    expect(page.locator(".phone[data-ready]")).to_be_visible()

    with page.expect_request("**/api/order") as request_info:
        page.get_by_role("button", name="Order").click()

    expect(page.get_by_text("Thank you,")).to_be_visible()
    payload = json.loads(request_info.value.post_data or "{}")
    assert (payload["name"], len(payload["key"])) == ("Ada", 32)


def test_the_socket_refuses_events_that_the_page_does_not_send(page: Page, project_url: str) -> None:
    page.goto(project_url)

    code = page.evaluate(
        """() => new Promise((told) => {
            const token = crypto.randomUUID();
            const socket = new WebSocket(`${origin.replace("http", "ws")}/_event/?EIO=4&transport=websocket&token=${token}`);
            socket.onmessage = ({ data }) => {
                if (data.startsWith("0")) socket.send("40/_event,");
                if (data.startsWith("40")) socket.send('42/_event,["event",{"name":"reflex___state____state.setvar","payload":{}}]');
            };
            socket.onclose = ({ code }) => told(code);
        })"""
    )

    assert code == 1008

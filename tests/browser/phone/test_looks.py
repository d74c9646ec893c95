"""Accessible, fitting every width, without layout shifts, and small."""

import json

import brotli
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, expect

from tests.browser.held_requests import hold
from tests.browser.phone.field import Field
from tests.browser.waiting import until_true


def test_axe_finds_nothing_in_any_state_and_nothing_is_cut_off_at_320_pixels(page: Page, project_url: str) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    phone = Field(page, project_url, show_search_box=True, show_dial_code_in_selection=True, label="Mobile")

    def expect_no_violations(state: str) -> None:
        violations = Axe().run(page, context="#specimen .phone").response["violations"]
        assert [(violation["id"], violation["nodes"][0]["html"]) for violation in violations] == [], state
        assert phone.box.evaluate("box => box.scrollWidth <= box.clientWidth"), state
        box = phone.box.bounding_box()
        assert box
        assert box["width"] <= 320, state

    expect_no_violations("empty")
    phone.type("02079460958")
    expect_no_violations("valid")
    phone.input.fill("")
    phone.type("02079")
    phone.input.press("Tab")
    expect_no_violations("wrong")
    phone.input.fill("")
    phone.open()
    expect_no_violations("open")
    phone.box.get_by_role("combobox").fill("Atlantis")
    expect_no_violations("found nothing")
    phone.box.get_by_role("combobox").fill("")
    phone.options.filter(has_text="United States").click()
    phone.type("+66812345678")
    expect_no_violations("asking")


def test_nothing_shifts_when_the_engine_loads_and_earlier_input_is_kept(page: Page, project_url: str) -> None:
    requests = hold(page, "**/engine-*.js")
    options = json.dumps({"show_dial_code_in_selection": True, "default_country": "US"})
    page.goto(f"{project_url}/?options={options}")
    page.locator("#phone").press_sequentially("2133734253")
    boxes_before = [page.locator(part).bounding_box() for part in ("#specimen .phone", "#phone", "#specimen .phone-picker")]

    requests.wait_for_first()
    requests.release()
    expect(page.locator("#specimen .phone-selected img")).to_be_visible()
    expect(page.locator("#phone")).to_have_value("(213) 373-4253")
    expect(page.locator(".phone-note")).not_to_be_empty()

    boxes_after = [page.locator(part).bounding_box() for part in ("#specimen .phone", "#phone", "#specimen .phone-picker")]
    assert boxes_after == boxes_before


def test_without_the_engine_the_field_still_takes_a_number(page: Page, project_url: str) -> None:
    page.route("**/engine-*.js", lambda route: route.fulfill(status=200, body="throw 0", content_type="text/javascript"))
    page.goto(f"{project_url}/?options={{}}")

    page.locator("#phone").press_sequentially("020 7946 0958")

    expect(page.locator("#phone")).to_have_value("020 7946 0958")


def test_the_engine_is_fetched_with_the_first_field_within_110_kilobytes(page: Page, project_url: str) -> None:
    html = page.request.get(f"{project_url}/dialog").text()
    start = html.index('<div class="phone"')
    assert "style=" not in html[start : html.index("</dialog>", start)]  # the policy forbids style attributes
    fetched: list[Response] = []
    page.on("response", lambda response: fetched.append(response))
    page.goto(f"{project_url}/dialog", wait_until="networkidle")
    urls_before = [response.url for response in fetched]

    fetched.clear()
    page.locator("[commandfor]").click()
    expect(page.locator(".phone[data-ready]")).to_be_visible()
    expect(page.locator(".phone-selected img")).to_have_js_property("complete", True)

    scripts = [len(brotli.compress(response.body())) for response in fetched if response.url.endswith(".js")]
    assert not [url for url in urls_before if "engine" in url or "/flags/" in url]
    assert 0 < sum(scripts) <= 110_000
    assert [response.url.rsplit("/")[-1] for response in fetched if "/flags/" in response.url] == ["GB.svg"]


def test_the_open_list_fetches_the_flags_it_shows_and_not_all(page: Page, project_url: str) -> None:
    page.emulate_media(forced_colors="active")
    phone = Field(page, project_url)
    flags: set[str] = set()
    page.on("request", lambda request: flags.add(request.url) if "/flags/" in request.url else None)

    phone.open()
    expect(phone.options.nth(6).locator("img")).to_have_js_property("complete", True)

    until_true(page, lambda: len(flags) >= 4)
    assert len(flags) <= 60
    # forced colours keep the active option visible
    assert phone.box.locator("[data-active]").evaluate("option => getComputedStyle(option).outlineStyle") == "solid"

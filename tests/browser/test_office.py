"""The office in a browser: an owner on a phone, a reader, without JavaScript, by keyboard alone, and axe."""

import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import COLOURS, findings
from tests.browser.signing_in import PHONE, signed_in
from tests.browser.visit import Visit
from tests.browser.waiting import until
from tests.support.builders import meeting, message, quote
from tests.support.site_server import PATIENT, ROOT, Site, free_port

CLIENT = ROOT / ".web/build/client"
OWNER, READER = "ada@example.com", "cy@example.com"
NEW, DOUBTFUL = "Sinéad O’Connor", "Mary Somerville"


@pytest.fixture(scope="module")
def office_site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    people = f"{OWNER}:owner,bo@example.com:owner,{READER}:reader"
    office_settings = {"SITE_OFFICE": people, "SITE_LIMIT_SIGN_IN": "1000/minute", "SITE_LIMIT_READS": "100000/minute"}
    running = Site(free_port(), tmp_path_factory.mktemp("office"), PATIENT | office_settings).start()
    yield running
    running.kill()


@pytest.fixture
def send(office_site: Site) -> Callable[..., dict]:
    """Posts a form's payload to the API, with a token unless it has one; an empty payload is posted without one."""

    def sent(call: str, payload: dict) -> dict:
        key = {"X-API-Key": "website"}
        token = httpx.get(f"{office_site.url}/v1.0/formToken", headers=key).json()["token"]
        payload = {"token": token} | payload if payload else {}
        response = httpx.post(f"{office_site.url}/v1.0/{call}", json=payload, headers=key, timeout=30)
        assert response.is_success, response.text
        return response.json()

    return sent


@pytest.fixture
def leads(send: Callable[..., dict]) -> dict[str, str]:
    """Creates a lead, one in quarantine, and a meeting; returns their references by sender."""
    slot = send("meetingSlots", {})["results"][3]["id"]
    address = f"{uuid.uuid4().hex[:8]}@example.org"
    return {
        NEW: send("requestQuote", quote(full_name=NEW, email=address))["reference"],
        DOUBTFUL: send("sendMessage", message(full_name=DOUBTFUL, token="", email=f"m{address}"))["reference"],
        "call": send("bookMeeting", meeting(slot=slot, email=f"c{address}"))["reference"],
    }


@pytest.fixture
def enter(visit: Visit, office_site: Site) -> Callable[..., Page]:
    """Opens a page of the office and signs in with the mailed link, as printed in development."""

    def enter(email: str, path: str = "/office", heading: str = "Inbox", **options: object) -> Page:
        return signed_in(visit(path, on=office_site, **PHONE | options), office_site, email, heading)

    return enter


# The office's address, alone or after a host; a picture may be called /images/office.png.
_ROUTE = re.compile(rb"(?:[\"'`=(\s>]|://[\w.:-]+)/office(?![\w.-])")


def test_a_lead_that_was_read_is_found_without_accents_and_the_way_back_keeps_the_search(
    enter: Callable[..., Page], leads: dict[str, str]
) -> None:
    page = enter(OWNER, f"/office/leads/{leads[NEW]}", NEW)
    expect(page.get_by_text("A machine that weaves algebraic patterns")).to_be_visible()

    page.get_by_role("link", name="Inbox").first.click()
    page.get_by_label("Search").fill(f"sinead o'connor {leads[NEW]}")
    page.get_by_role("button", name="Show").click()
    row = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=NEW))
    expect(row).to_have_count(1)
    expect(row).not_to_contain_text("unread")

    row.get_by_role("link").click()
    page.locator(".back").get_by_role("link").click()
    expect(page.get_by_label("Search")).to_have_value(f"sinead o'connor {leads[NEW]}")
    expect(row).to_have_count(1)


def test_undo_reverts_one_save_after_another(enter: Callable[..., Page], leads: dict[str, str]) -> None:
    page = enter(OWNER, f"/office/leads/{leads[NEW]}", NEW)
    mail_link = page.get_by_role("link", name="Reply by email").get_attribute("href") or ""
    assert mail_link.startswith("mailto:")
    assert leads[NEW] in mail_link
    page.get_by_label("A note").fill("Called back: they start in March.")
    page.get_by_role("button", name="Add the note").click()
    expect(page.get_by_text("they start in March")).to_be_visible()
    page.get_by_label("read", exact=True).check()
    page.get_by_label("Handled by").select_option(OWNER)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")

    page.get_by_role("button", name="Undo: status and handler").click()
    expect(page.get_by_label("new", exact=True)).to_be_checked()
    expect(page.get_by_label("Handled by")).to_have_value("")
    page.get_by_role("button", name="Undo: note").click()
    expect(page.get_by_role("status")).to_have_text("The change has been undone.")
    expect(page.get_by_text("they start in March")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


def test_a_lead_that_is_released_joins_the_new_ones(
    enter: Callable[..., Page], leads: dict[str, str], office_site: Site
) -> None:
    page = enter(OWNER)
    in_list = page.locator(f".list a[href*='{leads[DOUBTFUL]}']")
    page.get_by_role("link", name="in quarantine").click()
    in_list.click()

    page.get_by_role("button", name="Release it").click()
    expect(page.get_by_role("status")).to_contain_text("Released")

    page.goto(f"{office_site.url}/office?status=new")
    expect(in_list).to_have_count(1)


def test_a_meeting_is_moved_and_cancelled_and_is_no_longer_new(
    enter: Callable[..., Page], leads: dict[str, str], office_site: Site
) -> None:
    page = enter(OWNER)
    in_list = page.locator(f".list a[href*='{leads['call']}']")
    page.goto(f"{office_site.url}/office?status=new")
    in_list.click()

    page.get_by_role("link", name="Move the call").click()
    page.locator(".slot").last.click()
    page.get_by_role("button", name="Move the call").click()
    expect(page.get_by_role("status")).to_contain_text("moved")
    page.get_by_text("Cancel the call", exact=True).click()
    page.get_by_role("button", name="Yes, cancel the call").click()
    expect(page.get_by_role("status")).to_contain_text("cancelled")
    expect(page.get_by_role("button", name="Yes, cancel the call")).to_have_count(0)

    page.locator(".back").get_by_role("link").click()
    expect(page).to_have_url(re.compile("status=new"))
    expect(in_list).to_have_count(0)


def test_a_blocked_day_is_opened_again(enter: Callable[..., Page], office_site: Site) -> None:
    page = enter(OWNER)
    page.goto(f"{office_site.url}/office/calls?week=2031-03-03")
    page.get_by_label("From").fill("2031-03-04")
    page.get_by_label("Why").fill("Away")
    page.get_by_role("button", name="Block it").click()
    expect(page.get_by_role("status")).to_have_text("The time has been blocked.")
    expect(page.get_by_text("blocked Away")).to_be_visible()

    page.get_by_role("button", name="Open again").click()

    expect(page.get_by_text("blocked Away")).to_have_count(0)


def test_status_times_and_notes_are_near_the_top_of_a_long_lead(
    enter: Callable[..., Page], send: Callable[..., dict], office_site: Site
) -> None:
    text = "We weave patterns, and need a machine. " * 120
    long = send("requestQuote", quote(project_description=text, additional_notes=text[:1900]))["reference"]
    page = enter(OWNER, f"/office/leads/{long}", "Ada Lovelace")

    for name in ("Status", "Notes"):
        top = page.get_by_role("heading", name=name, exact=True).bounding_box()
        assert top
        assert top["y"] < 3 * PHONE["height"], name
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Notes").click()
    expect(page.get_by_label("A note")).to_be_in_viewport()
    page.get_by_text("Read more").first.click()
    assert page.locator("dd", has_text="weave").first.inner_text().split() == text.split()


def test_the_buttons_of_a_status_stay_where_they_are(enter: Callable[..., Page], leads: dict[str, str]) -> None:
    page = enter(OWNER, f"/office/leads/{leads[NEW]}", NEW)
    labels_before = page.locator(".choice").all_inner_texts()

    page.get_by_label("won").check()
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("status")).to_have_text("Saved.")
    assert page.locator(".choice").all_inner_texts() == labels_before


def test_tables_fit_a_phone_to_the_last_column(
    enter: Callable[..., Page], send: Callable[..., dict], office_site: Site
) -> None:
    send("requestQuote", quote(page="/services/websites-and-applications"))
    page = enter(OWNER, "/office/views", "Views")
    page.set_viewport_size({"width": 320, "height": 800})
    # as in the tables of partners and translations
    page.locator("table td").evaluate_all("cells => cells.forEach(cell => (cell.textContent = '12 missing, 3 to review'))")

    cells = page.locator("table :is(th, td)").evaluate_all(
        "cells => cells.filter(cell => cell.offsetParent).map(cell => [cell.scrollWidth - cell.clientWidth, cell.getBoundingClientRect().right])"
    )

    assert cells
    assert all(hidden <= 0 and right_edge <= 320 for hidden, right_edge in cells)


def test_no_public_page_names_the_office(built: None) -> None:
    files = [file for file in CLIENT.rglob("*") if file.suffix in (".html", ".js", ".css", ".txt", ".xml", ".json")]

    assert [file.name for file in files if _ROUTE.search(file.read_bytes())] == []


def test_a_reader_cannot_change_anything(enter: Callable[..., Page], leads: dict[str, str], office_site: Site) -> None:
    page = enter(READER)
    page.get_by_role("link", name=NEW).first.click()

    expect(page.get_by_text("A machine that weaves algebraic patterns")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    page.goto(f"{office_site.url}/office/calls")
    expect(page.get_by_role("button")).to_have_count(0)


def test_the_office_works_without_javascript(enter: Callable[..., Page], leads: dict[str, str]) -> None:
    page = enter(OWNER, javascript=False)

    page.get_by_label("Search").fill(leads[NEW])
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".list li")).to_have_count(1)
    page.get_by_role("link", name=NEW).click()
    page.get_by_label("won").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.get_by_role("button", name="Undo: status").click()
    expect(page.get_by_label("new", exact=True)).to_be_checked()


def test_the_office_works_by_keyboard_alone(enter: Callable[..., Page], leads: dict[str, str]) -> None:
    page = enter(OWNER, width=1280)

    page.keyboard.press("/")
    page.keyboard.type(leads[NEW])
    page.keyboard.press("Enter")
    expect(page.locator(".list li")).to_have_count(1)
    page.keyboard.press("j")
    expect(page.get_by_role("link", name=NEW)).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_label("A note").focus()
    page.keyboard.type("jk/u are letters here")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("jk/u are letters here")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_label("Search")).to_have_value(leads[NEW])
    page.get_by_role("link", name="All, newest first").click()
    page.wait_for_url("**/office")
    rows = page.locator(".list a")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(rows.nth(0)).to_be_focused()

    page.get_by_label("Keyboard shortcuts").uncheck()
    rows.nth(0).focus()
    page.keyboard.press("j")
    expect(rows.nth(0)).to_be_focused()


def test_the_shortcuts_are_switched_off_on_any_page_of_a_phone(enter: Callable[..., Page], leads: dict[str, str]) -> None:
    page = enter(OWNER, f"/office/leads/{leads[NEW]}", NEW)

    page.get_by_label("Keyboard shortcuts").uncheck()
    page.locator("h1").click()
    page.keyboard.press("u")

    expect(page).to_have_url(re.compile(leads[NEW]))
    page.get_by_label("Keyboard shortcuts").check()
    page.locator("h1").click()
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()


def test_axe_finds_nothing_on_any_page_and_every_page_fits(
    enter: Callable[..., Page], leads: dict[str, str], office_site: Site
) -> None:
    page = enter(OWNER, width=360, color_scheme="dark")
    until(page, "getComputedStyle(document.documentElement).colorScheme", "dark")
    paths = ["", f"/leads/{leads[NEW]}", f"/leads/{leads[DOUBTFUL]}", f"/leads/{leads['call']}", f"/leads/{leads['call']}/move"]

    looks: list[tuple[int, Literal["light", "dark"], Sequence[str]]] = [(1280, "light", COLOURS), (360, "dark", ())]
    results = {}
    for path in [*paths, "?words=nothing", "/calls", "/views", "/mail", "/state", "/log", "/people", "/sign-in", "/enter/x"]:
        page.goto(f"{office_site.url}/office{path}")
        for width, scheme, rules in looks:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
            results[path, scheme] = findings(page, rules)

    assert {place: problems for place, problems in results.items() if problems} == {}

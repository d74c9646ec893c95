"""The office in a browser: an owner's morning on a phone, a reader, without JavaScript, by keyboard alone, and axe."""

import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import COLOURS, findings
from tests.browser.conftest import Visit
from tests.browser.server import PATIENT, ROOT, Site, free_port
from tests.browser.waiting import until
from tests.builders import meeting, message, quote

CLIENT = ROOT / ".web/build/client"
OWNER, READER = "ada@example.com", "cy@example.com"
PHONE = {"width": 390, "height": 800, "wait": False}
NEW, DOUBTFUL = "Grace Hopper", "Mary Somerville"


@pytest.fixture(scope="module")
def office_site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    people = f"{OWNER}:owner,bo@example.com:owner,{READER}:reader"
    more = {"SITE_OFFICE": people, "SITE_LIMIT_SIGN_IN": "1000/minute", "SITE_LIMIT_READS": "100000/minute"}
    running = Site(free_port(), tmp_path_factory.mktemp("office"), PATIENT | more).start()
    yield running
    running.kill()


@pytest.fixture
def leads(office_site: Site) -> dict[str, str]:
    """A lead, one in quarantine, and a call: their references by who sent them."""

    def sent(call: str, payload: dict) -> dict:
        answer = httpx.post(f"{office_site.url}/v1.0/{call}", json=payload, headers={"X-API-Key": "website"}, timeout=30)
        assert answer.is_success, answer.text
        return answer.json()

    token = httpx.get(f"{office_site.url}/v1.0/formToken", headers={"X-API-Key": "website"}).json()["token"]
    slot = sent("meetingSlots", {})["results"][3]["id"]
    address = f"{uuid.uuid4().hex[:8]}@example.org"
    return {
        NEW: sent("requestQuote", quote(full_name=NEW, token=token, email=address))["reference"],
        DOUBTFUL: sent("sendMessage", message(full_name=DOUBTFUL, token="", email=f"m{address}"))["reference"],
        "call": sent("bookMeeting", meeting(slot=slot, token=token, email=f"c{address}"))["reference"],
    }


@pytest.fixture
def enter(visit: Visit, office_site: Site) -> Callable[..., Page]:
    """Sign in by the mailed link, as development prints it."""

    def enter(who: str, **options: object) -> Page:
        page = visit("/office", on=office_site, **PHONE | options)
        page.get_by_label("Your email address").fill(who)
        page.get_by_role("button", name="Send me a link").click()
        page.goto(_printed(page, office_site, who))
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
        return page

    return enter


def _printed(page: Page, site: Site, who: str) -> str:
    """The link of that person that has not been used."""
    for _ in range(400):
        for link in re.findall(rf"office as {re.escape(who)}: (\S+)", site.output()):
            if link not in _USED:
                _USED.add(link)
                return link
        page.wait_for_timeout(25)
    raise AssertionError("no link was printed")


_USED: set[str] = set()
# The address of the office, alone or after a host; a picture may well be called /images/office.png.
_ROUTE = re.compile(rb"(?:[\"'`=(\s>]|://[\w.:-]+)/office(?![\w.-])")


def test_an_owners_morning_on_a_phone(enter: Callable[..., Page], leads: dict[str, str], office_site: Site) -> None:
    page = enter(OWNER)

    page.get_by_role("link", name=NEW).first.click()
    expect(page.get_by_text("A machine that weaves algebraic patterns")).to_be_visible()
    page.get_by_label("read", exact=True).check()
    page.get_by_label("Answered by").select_option(OWNER)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    answer = page.get_by_role("link", name="Answer by mail").get_attribute("href") or ""
    assert answer.startswith("mailto:")
    assert leads[NEW] in answer
    page.get_by_label("A note").fill("Called back: they start in March.")
    page.get_by_role("button", name="Add the note").click()
    expect(page.get_by_text("they start in March")).to_be_visible()

    page.goto(f"{office_site.url}/office?status=quarantined")
    page.get_by_role("link", name=DOUBTFUL).first.click()
    page.get_by_role("button", name="Release it").click()
    expect(page.get_by_role("status")).to_contain_text("Released")

    page.goto(f"{office_site.url}/office/leads/{leads['call']}")
    page.get_by_text("Cancel the call", exact=True).click()
    page.get_by_role("button", name="Yes, cancel the call").click()
    expect(page.get_by_role("status")).to_contain_text("cancelled")
    expect(page.get_by_role("button", name="Yes, cancel the call")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_public_names_it(built: None) -> None:
    files = [one for one in CLIENT.rglob("*") if one.suffix in (".html", ".js", ".css", ".txt", ".xml", ".json")]

    assert [one.name for one in files if _ROUTE.search(one.read_bytes())] == []


def test_a_reader_may_not(enter: Callable[..., Page], leads: dict[str, str], office_site: Site) -> None:
    page = enter(READER)
    page.get_by_role("link", name=NEW).first.click()

    expect(page.get_by_text("A machine that weaves algebraic patterns")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    page.goto(f"{office_site.url}/office/calls")
    expect(page.get_by_role("button")).to_have_count(0)


def test_without_javascript(enter: Callable[..., Page], leads: dict[str, str]) -> None:
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


def test_by_keyboard_alone(enter: Callable[..., Page], leads: dict[str, str]) -> None:
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
    page.wait_for_url("**/office")
    rows = page.locator(".list a")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(rows.nth(0)).to_be_focused()

    page.get_by_label("Keys").uncheck()
    rows.nth(0).focus()
    page.keyboard.press("j")
    expect(rows.nth(0)).to_be_focused()


def test_axe_finds_nothing_on_any_page_and_every_page_fits(
    enter: Callable[..., Page], leads: dict[str, str], office_site: Site
) -> None:
    page = enter(OWNER, width=360, color_scheme="dark")
    until(page, "getComputedStyle(document.documentElement).colorScheme", "dark")
    paths = ["", f"/leads/{leads[NEW]}", f"/leads/{leads[DOUBTFUL]}", f"/leads/{leads['call']}", f"/leads/{leads['call']}/move"]

    looks: list[tuple[int, Literal["light", "dark"], Sequence[str]]] = [(1280, "light", COLOURS), (360, "dark", ())]
    found = {}
    for path in [*paths, "?words=nothing", "/calls", "/views", "/mail", "/state", "/log", "/people", "/sign-in", "/enter/x"]:
        page.goto(f"{office_site.url}/office{path}")
        for width, scheme, rules in looks:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
            found[path, scheme] = findings(page, rules)

    assert {where: some for where, some in found.items() if some} == {}

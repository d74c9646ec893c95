"""A language chosen on a plain page is remembered and keeps the form's input, wherever the provider is."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import pytest
from starlette.applications import Starlette

from site_app.client import ProviderClient, embedded
from site_app.core.settings import Settings
from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import BookingCell, Hold, Lead, Meeting
from site_app.serving.pages import ServedPages
from site_app.serving.plain_pages import plain_pages
from site_app.serving.relay import Relay
from site_app.serving.site import Site
from tests.support.booking_pages import ADA, ELEVEN, NINE, book_in_browser, hold_time
from tests.support.clients import client_of
from tests.support.clock import Clock
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio
WORDS = {"full_name": "Ada", "email": "ada", "subject": "A question", "message": "\r\nDo you write\r\nprograms?"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """One submission of each kind an hour, so that double counting is refused."""
    return replace(settings, limit_submissions="1/hour", limit_holds="1/hour")


@pytest.fixture
async def visitor(
    request: pytest.FixtureRequest,
    api: Starlette,
    context: ApiContext,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[httpx.AsyncClient]:
    """A browser without scripts but with cookies, in front of the whole site."""
    for page in ("", "th", "contact-us", "th/contact-us"):
        (tmp_path / "static" / page).mkdir(parents=True, exist_ok=True)
        (tmp_path / "static" / page / "index.html").write_text(f"/{page}")
    transport = httpx.ASGITransport(api, client=("198.51.100.1", 443))
    away = getattr(request, "param", "") == "elsewhere"
    provider = ProviderClient("http://provider.test", settings.api_key, transport) if away else embedded(api, settings)
    monkeypatch.setattr("site_app.client.calls._installed", [provider])
    plain_api = Relay(settings, api=api) if away else api
    site = Site(
        backend=api,
        api=plain_api,
        pages=ServedPages.of(tmp_path / "static", settings),
        settings=settings,
        plain_pages=plain_pages(api.state),
    )
    async with client_of(site, at=settings.url) as client:
        yield client
    await provider.close()


# The provider is in this process, or its pages are relayed by the site.
wherever = pytest.mark.parametrize("visitor", ["here", "elsewhere"], indirect=True)


@wherever
async def test_a_language_link_keeps_the_page_and_its_query(visitor: httpx.AsyncClient, clock: Clock) -> None:
    path = await book_in_browser(visitor, clock)
    nowhere = "/meetings/" + "x" * 43
    addresses = [f"{path}?done=booked", f"{path}/move?zone=UTC&day=2030-01-04", "/book?zone=UTC&gone=1&day=2030-01-04"]

    for address in (*addresses, nowhere, f"/confirm/{'x' * 43}", "/contact-us/sent?reference=M-2345-67&check=1"):
        page = await _switch_language(visitor, await visitor.get(address), "zh-Hans")

        assert '<html lang="zh-Hans"' in page.text
        assert page.url.raw_path.decode() == f"/cn{address}"
        assert visitor.cookies["lang"] == "cn"


async def test_a_chosen_time_stays_chosen_without_a_hold(visitor: httpx.AsyncClient, context: ApiContext) -> None:
    page = await visitor.get("/book?zone=Asia/Bangkok")

    thai_page = await _switch_language(visitor, page, "th", slot=NINE)
    english_page = await _switch_language(visitor, thai_page, "en", slot=ELEVEN)

    assert (_typed(thai_page)["slot"], _typed(english_page)["slot"]) == (NINE, ELEVEN)
    assert english_page.url.path == "/book"
    assert await rows_in(context.store, Hold) == []


async def test_the_day_the_zone_and_the_attribution_of_the_times_stay(visitor: httpx.AsyncClient, settings: Settings) -> None:
    page = await visitor.get("/book", headers={"Referer": f"{settings.url}/faq?utm_source=news&ref=A2C3D4E5"})
    fields = _typed(page) | {"day": "2030-01-04", "zone": "Asia/Bangkok"}

    thai_page = await _switch_language(visitor, page, "th", **fields)

    shown = _typed(thai_page)
    assert {name: shown[name] for name in ("day", "zone")} == {"day": "2030-01-04", "zone": "Asia/Bangkok"}
    assert parse_qs(shown["attribution"]) == {"ref": ["A2C3D4E5"], "utm_source": ["news"], "landing_page": ["/faq"]}


async def test_marks_are_not_in_an_address_twice_after_a_change_of_language(visitor: httpx.AsyncClient) -> None:
    page = await visitor.get("/book?utm_source=news")

    thai_page = await _switch_language(visitor, page, "th")

    assert set(thai_page.url.params) == {"utm_source", "zone", "day"}
    assert "utm_source=news" in _typed(thai_page)["attribution"]


async def test_overlong_fields_are_left_out_of_the_address_in_another_language(visitor: httpx.AsyncClient) -> None:
    names: list[str] = ["slot", "day", "zone", "speak", "attribution"]
    fields = dict.fromkeys(names, "x" * 10_000)

    response = await visitor.post("/book?language=en", data=fields)

    assert (response.status_code, response.headers["location"]) == (303, "/book")


@wherever
async def test_changing_the_language_does_not_move_a_meeting(
    visitor: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    path = await book_in_browser(visitor, clock)

    thai_page = await _switch_language(visitor, await visitor.get(f"{path}/move"), "th", slot=ELEVEN)

    assert _typed(thai_page)["slot"] == ELEVEN
    assert [f"{row.starts_at:%Y%m%dT%H%MZ}" for row in await rows_in(context.store, Meeting)] == [NINE]


@wherever
async def test_changing_the_language_keeps_the_form_of_a_held_time(
    visitor: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    page = await visitor.get(await hold_time(visitor))
    fields = _typed(page) | {"slot": ELEVEN, "full_name": '"A" & <B>', "email": "ada@", "additional_notes": "\r\none\r\n two "}
    rows_before = [row.model_dump() for table in (Hold, BookingCell) for row in await rows_in(context.store, table)]

    for language in ("th", "zh-Hans", "en", "th"):
        page = await _switch_language(visitor, page, language, **fields)

        assert page.status_code == 200
        assert f'<html lang="{language}"' in page.text
        assert _typed(page) == fields
        assert "aria-invalid" not in page.text
        assert 'role="alert"' not in page.text

    assert visitor.cookies["lang"] == "th"
    assert "19:10" not in page.text  # the end of the hold, which is on another time
    page_of_held_time = await _switch_language(visitor, page, "en", **fields | {"slot": NINE})
    assert "19:10" in page_of_held_time.text  # in the chosen zone
    assert [row.model_dump() for table in (Hold, BookingCell) for row in await rows_in(context.store, table)] == rows_before
    clock.advance(timedelta(minutes=1))
    response = await visitor.post(_action(page), data=fields | ADA)
    assert response.headers["location"].startswith("/th/meetings/")
    assert [(row.full_name, row.time_zone) for row in await rows_in(context.store, Meeting)] == [
        ("Ada Lovelace", "Asia/Bangkok")
    ]


async def test_changing_the_language_keeps_wrong_input_without_new_errors(visitor: httpx.AsyncClient, clock: Clock) -> None:
    page = await visitor.get(await hold_time(visitor))
    refused = await visitor.post(_action(page), data=_typed(page) | {"full_name": "Ada", "email": "ada@"})
    assert refused.status_code == 422

    thai_page = await _switch_language(visitor, refused, "th")

    assert (thai_page.status_code, _typed(thai_page)) == (200, _typed(refused))
    assert "aria-invalid" not in thai_page.text


async def test_changing_the_language_keeps_a_faulty_message_which_can_be_sent(
    visitor: httpx.AsyncClient, context: ApiContext
) -> None:
    refused = await visitor.post("/contact-us", data=WORDS)
    assert refused.status_code == 422

    thai_page = await _switch_language(visitor, refused, "th", company="Analytical Engines")

    assert thai_page.status_code == 200
    assert '<html lang="th"' in thai_page.text
    assert _typed(thai_page) == _typed(refused) | {"company": "Analytical Engines"}
    assert "aria-invalid" not in thai_page.text
    assert visitor.cookies["lang"] == "th"
    assert await rows_in(context.store, Lead) == []
    sent = await visitor.post(_action(thai_page), data=_typed(thai_page) | {"email": "ada@example.com"})
    assert sent.headers["location"].startswith("/th/contact-us/sent?reference=M-")
    assert len(await rows_in(context.store, Lead)) == 1


@pytest.mark.parametrize("language", ["", "en"])
async def test_changing_the_language_keeps_the_country_of_a_number(
    visitor: httpx.AsyncClient, context: ApiContext, language: str
) -> None:
    local = {"phone": "081 234 5678", "phone_country": "TH"}
    page = await visitor.post("/th/contact-us", data=WORDS | local)
    assert page.status_code == 422

    if language:
        page = await _switch_language(visitor, page, language)
    sent = await visitor.post(_action(page), data=_typed(page) | {"email": "ada@example.com"})

    assert "reference=M-" in sent.headers["Location"]
    assert [lead.phone_e164 for lead in await rows_in(context.store, Lead)] == ["+66812345678"]


@pytest.mark.parametrize("path", ["/book", "/book/details", "/contact-us"])
async def test_the_limits_of_a_form_apply_when_changing_the_language(visitor: httpx.AsyncClient, path: str) -> None:
    large = await visitor.post(f"{path}?language=en", content=b"a" * 200_000)
    broken = await visitor.post(f"{path}?language=en", content=b"\xff" * 10)

    assert (large.status_code, broken.status_code) == (413, 400)


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_a_form_posted_by_another_site_is_only_shown(
    visitor: httpx.AsyncClient, context: ApiContext, origin: str
) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": origin}
    fields = WORDS | {"email": "ada@example.com"}

    form_page = await visitor.post("/contact-us", data=fields, headers=headers)
    times = await visitor.post("/book", data={"slot": NINE}, headers=headers)
    details = await visitor.post(await hold_time(visitor), data=ADA, headers=headers)

    assert (form_page.status_code, details.status_code) == (200, 200)
    assert _typed(form_page)["email"] == fields["email"]
    assert "/book/details" not in times.headers.get("Location", "")
    assert await rows_in(context.store, Lead) == []
    assert await rows_in(context.store, Meeting) == []
    sent = await visitor.post("/contact-us", data=_typed(form_page), headers=headers | {"Sec-Fetch-Site": "same-origin"})
    assert sent.headers["Location"].startswith("/contact-us/sent?reference=M-")


async def _switch_language(visitor: httpx.AsyncClient, page: httpx.Response, language: str, **typed: str) -> httpx.Response:
    """Presses the language's button on a form with these fields changed; returns the next page."""
    parsed = _Page(page.text)
    address, goes_along = parsed.languages[language]
    if not goes_along:
        return await visitor.get(address, follow_redirects=True)
    return await visitor.post(address, data=parsed.typed | typed, follow_redirects=True)


def _typed(page: httpx.Response) -> dict[str, str]:
    return _Page(page.text).typed


def _action(page: httpx.Response) -> str:
    return _Page(page.text).action


class _Page(HTMLParser):
    """Collects the fields that a browser would send with the form, and the targets of its languages."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.typed: dict[str, str] = {}
        self.languages: dict[str, tuple[str, bool]] = {}
        self.action = ""
        self._area = ""
        self.feed(text.replace("\r\n", "\n"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form" and attributes["method"] == "post":
            self.action = attributes.get("action", "")
        elif tag == "input" and (attributes.get("type") != "radio" or "checked" in attributes):
            self.typed[attributes["name"]] = attributes.get("value", "")
        elif tag == "textarea":
            self._area = attributes["name"]
            self.typed[self._area] = ""
        elif tag == "a" and "hreflang" in attributes:
            self.languages[attributes["lang"]] = (attributes["href"], False)
        elif tag == "button" and "formaction" in attributes:
            self.languages[attributes["lang"]] = (attributes["formaction"], True)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            # browsers drop the first line break and send CRLF
            self.typed[self._area] = self.typed[self._area].removeprefix("\n").replace("\n", "\r\n")
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.typed[self._area] += data

"""A meeting is booked, moved and cancelled on plain pages in three languages; GET requests change nothing."""

import re
from datetime import timedelta
from html import unescape
from itertools import product
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from icalendar import Calendar

from site_app.client import ProviderClient, ProviderError
from site_app.contracts.meeting import HoldRequest, Slots, SlotsRequest
from site_app.contracts.problems import problem
from site_app.core.http.pages import STYLESHEET, THEME
from site_app.core.settings import Settings
from site_app.forms.views import consultation
from site_app.provider.booking.meeting import MOVES_WITHOUT_MAILED_LINK
from site_app.provider.booking.slots import Availability
from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import BookingCell, Hold, ManageLink, Meeting, Outbox
from tests.support.booking_pages import ADA, ELEVEN, NINE, book_in_browser, filled_in, hold_time, inputs, offered_slots
from tests.support.clock import Clock
from tests.support.stored_rows import mark_mails_sent, rows_in

pytestmark = pytest.mark.anyio
NO_LONGER_FREE = (
    "This time is no longer free. If you’ve just booked it yourself, you’ll find the details in our email. "
    "If not, please choose another."
)


async def test_times_are_real_choices_on_both_clocks(browser: httpx.AsyncClient) -> None:
    page = await browser.get("/book?zone=Asia/Bangkok")

    assert page.status_code == 200
    assert "<legend>Thursday 3 January 2030, Bangkok time</legend>" in page.text
    assert re.search(
        r'value="20300103T0900Z".*\s*<time [^>]*"2030-01-03T09:00Z">16:00</time> <small [^>]*>09:00 London', page.text
    )


async def test_without_free_times_the_pages_lead_to_a_message(
    browser: httpx.AsyncClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await book_in_browser(browser, clock)
    monkeypatch.setattr(Availability, "slots", lambda *_: [])

    for address in ("/book?ref=A2C3D4E5", f"{path}/move"):
        page = await browser.get(address)

        assert page.status_code == 200
        assert "All times in the coming weeks are taken." in page.text
    assert '<a href="/contact-us?ref=A2C3D4E5">' in (await browser.get("/book?ref=A2C3D4E5")).text


async def test_pages_are_not_indexed_or_cached_and_send_no_referrer(browser: httpx.AsyncClient, clock: Clock) -> None:
    for address in ("/book", await book_in_browser(browser, clock), "/meetings/" + "x" * 43):
        headers = (await browser.get(address)).headers
        assert headers["X-Robots-Tag"] == "noindex"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "same-origin"
        assert "unsafe" not in headers["Content-Security-Policy"]


async def test_pages_have_no_inline_script_and_no_inline_style(browser: httpx.AsyncClient, clock: Clock) -> None:
    for address in ("/book", await hold_time(browser, ELEVEN), await book_in_browser(browser, clock)):
        page = (await browser.get(address)).text
        scripts = re.findall(r"<script(.*?)</script>", page, re.DOTALL)
        assert all(re.fullmatch(r' src="/plain/\w+\.js">', script) for script in scripts)
        assert f' src="{THEME}">' in scripts
        assert " style=" not in page
        assert STYLESHEET in page
    assert (await browser.get(STYLESHEET)).headers["Content-Type"].startswith("text/css")
    assert (await browser.get(THEME)).headers["Content-Type"].startswith("text/javascript")


async def test_choosing_a_time_holds_it_and_going_on_books_it(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    path = await book_in_browser(browser, clock)

    [stored] = await rows_in(context.store, Meeting)
    assert (stored.full_name, stored.time_zone, stored.source_page) == ("Ada Lovelace", "Asia/Bangkok", "/book")
    page = (await browser.get(path)).text
    assert stored.reference in page
    assert "16:00 Bangkok · 09:00 London" in page
    assert await rows_in(context.store, Hold) == []


async def test_a_guest_is_named_in_the_form_and_shown_on_the_page_of_the_meeting(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    path = await book_in_browser(browser, clock, guest_email="bo@guest.example.org")

    [row] = await rows_in(context.store, Meeting)
    assert row.guest_email == "bo@guest.example.org"
    assert "bo@guest.example.org" in (await browser.get(path)).text
    assert [mail.recipient for mail in await rows_in(context.store, Outbox) if mail.template == "call-booked-guest"] == [
        row.guest_email
    ]


async def test_a_guests_address_that_is_none_is_a_fault_of_its_field(browser: httpx.AsyncClient, clock: Clock) -> None:
    address, form = await filled_in(browser)
    clock.advance(timedelta(minutes=1))

    page = await browser.post(address, data=form | {"guest_email": "bo@"})

    assert page.status_code == 422
    assert re.findall(r'id="(\w+)-error">.*<span>(.+)</span></p>', page.text) == [
        ("guest_email", problem("email_malformed", "guest_email"))
    ]


def test_a_provider_elsewhere_is_not_sent_a_guest_that_it_may_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consultation, "settings", lambda: Settings(provider_url="https://provider.example.com"))

    assert "guest_email" not in [field.name for field in consultation.view().fields]


async def test_a_key_used_with_other_words_is_renewed(browser: httpx.AsyncClient, clock: Clock) -> None:
    address, form = await filled_in(browser)
    clock.advance(timedelta(minutes=1))
    await browser.post(address, data=form)
    changed_form = form | {"slot": ELEVEN, "email": "grace@example.com"}

    refused = await browser.post(address, data=changed_form)
    renewed = await browser.post(address, data=changed_form | inputs(refused.text))

    assert (refused.status_code, renewed.status_code) == (422, 303)


async def test_errors_are_at_their_fields_and_input_is_kept(browser: httpx.AsyncClient, clock: Clock) -> None:
    address, form = await filled_in(browser)
    clock.advance(timedelta(minutes=1))

    response = await browser.post(address, data=form | {"email": "ada@nowhere", "phone": "12", "company": '<b>"A & Co"'})

    assert response.status_code == 422
    assert re.findall(r'id="(\w+)-error">.*<span>[^<]+<', response.text) == ["email", "phone"]
    assert 'aria-describedby="email-error"' in response.text
    assert 'value="&lt;b&gt;&#34;A &amp; Co&#34;"' in response.text
    assert 'value="Ada Lovelace"' in response.text
    assert response.text.count("autofocus") == 1


async def test_a_visitor_who_loses_the_time_keeps_the_form_and_gets_other_times(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    address, form = await filled_in(browser)
    clock.advance(timedelta(minutes=11))
    await hold_time(browser)  # another visitor

    response = await browser.post(address, data=form)

    assert response.status_code == 409
    assert 'value="Ada Lovelace"' in response.text
    assert NINE not in offered_slots(response.text)
    booked_answer = await browser.post(address, data=form | {"slot": offered_slots(response.text)[0]})
    assert booked_answer.status_code == 303
    assert len(await rows_in(context.store, Meeting)) == 1


async def test_keeping_the_hold_keeps_what_was_typed(browser: httpx.AsyncClient, context: ApiContext, clock: Clock) -> None:
    address, form = await filled_in(browser)
    clock.advance(timedelta(minutes=9))

    response = await browser.post(address, data=form | {"do": "keep"})

    assert response.status_code == 200
    assert 'value="Ada Lovelace"' in response.text
    assert "Held for you until 19:19" in response.text
    assert inputs(response.text)["key"] == form["key"]


async def test_a_hold_answered_too_late_belongs_to_the_visitor(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_slot = ProviderClient.hold_slot

    async def answers_too_late(self: ProviderClient, request: HoldRequest, *, client_ip: str = "") -> None:
        await hold_slot(self, request, client_ip=client_ip)

    monkeypatch.setattr(ProviderClient, "hold_slot", answers_too_late)
    choice = inputs((await browser.get("/book?zone=Asia/Bangkok")).text) | {"slot": NINE}

    address = [(await browser.post("/book", data=choice)).headers.get("Location", "") for _ in range(2)][1]
    form = inputs((await browser.get(address)).text) | {"slot": NINE} | ADA
    clock.advance(timedelta(minutes=1))
    response = await browser.post(address, data=form)

    assert response.status_code == 303
    assert len(await rows_in(context.store, Meeting)) == 1


async def test_a_hold_kept_without_an_answer_is_not_reported_as_lost(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silence(self: ProviderClient, request: HoldRequest, *, client_ip: str = "") -> None:
        pass

    address, form = await filled_in(browser)
    monkeypatch.setattr(ProviderClient, "hold_slot", silence)

    response = await browser.post(address, data=form | {"do": "keep"})

    assert response.status_code == 200
    assert "Held for you until 19:10" in response.text


async def test_only_a_held_time_is_called_held(browser: httpx.AsyncClient, clock: Clock) -> None:
    address, form = await filled_in(browser)
    clock.advance(timedelta(minutes=1))

    with_other_time = await browser.post(address, data=form | {"slot": ELEVEN, "email": "ada@nowhere"})
    with_held_time = await browser.post(address, data=form | {"email": "ada@nowhere"})
    await browser.post(address, data=form | {"do": "release"})
    back_after_release = await browser.get(address)

    assert "Held for you until" not in with_other_time.text
    assert "Held for you until" in with_held_time.text
    assert back_after_release.status_code == 200
    assert "Held for you until" not in back_after_release.text


async def test_a_time_of_which_the_visitor_has_moved_the_hold_is_not_called_held(browser: httpx.AsyncClient) -> None:
    address, form = await filled_in(browser)
    choice = {"zone": "Asia/Bangkok", "hold": form["hold"], "slot": ELEVEN}

    other_address = (await browser.post("/book", data=choice)).headers["Location"]

    assert "Held for you until" in (await browser.get(other_address)).text
    assert "Held for you until" not in (await browser.get(address)).text


async def test_the_dialog_hands_over_its_input_with_or_without_a_time(browser: httpx.AsyncClient, context: ApiContext) -> None:
    typed = ADA | {"key": "0123456789abcdef", "token": ""}
    hold_address = "/book/details?zone=Asia/Bangkok&hold=a-name-of-our-own"

    with_time = await browser.post(f"{hold_address}&slot={NINE}", data=typed | {"slot": NINE, "do": "keep"})
    without_time = await browser.post("/book/details?zone=Asia/Bangkok", data=typed | {"do": "show"})

    for response in (with_time, without_time):
        assert response.status_code == 200
        assert 'value="Ada Lovelace"' in response.text
        assert inputs(response.text)["key"] == "0123456789abcdef"
        assert offered_slots(response.text)
    assert [hold.id for hold in await rows_in(context.store, Hold)] == ["a-name-of-our-own"]


async def test_a_time_that_the_dialog_hands_over_without_a_hold_can_be_booked(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    address = f"/book/details?zone=Asia/Bangkok&slot={NINE}"
    shown = await browser.post(address, data=ADA | {"slot": NINE, "do": "keep"})
    clock.advance(timedelta(minutes=1))
    thai_page = await browser.post(f"/th{address}&language=th", data=inputs(shown.text) | {"slot": NINE} | ADA)

    booked = await browser.post(f"/th{address}", data=inputs(thai_page.text) | {"slot": NINE} | ADA)

    assert "Held for you until" in shown.text
    assert booked.status_code == 303
    assert len(await rows_in(context.store, Meeting)) == 1


async def test_releasing_a_held_time_frees_it(browser: httpx.AsyncClient, context: ApiContext) -> None:
    address = await hold_time(browser)

    response = await browser.post(address, data={"do": "release"})

    assert response.status_code == 307  # posts the form there
    assert response.headers["Location"] == "/book?zone=Asia%2FBangkok"
    assert await rows_in(context.store, BookingCell) == []


async def test_all_times_keep_what_was_typed_until_the_call_is_booked(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    address, form = await filled_in(browser)
    typed = {"company": '<b>"A & Co"', "project_information": "\r\none\r\n two"}
    clock.advance(timedelta(minutes=1))

    async def post(address: str, **pressed: str) -> httpx.Response:
        return await browser.post(address, data=inputs(page.text) | pressed, follow_redirects=True)

    page = await browser.post(address, data=form | typed | {"do": "release"}, follow_redirects=True)
    assert (page.status_code, page.url.path) == (200, "/book")
    assert await rows_in(context.store, Hold) == []
    assert f'value="{NINE}" checked' in page.text
    assert not re.search(r'href="/book\?', page.text)  # a link would lose the typed text
    assert re.findall(
        r'<button class="calendar-day" form="slot" formaction="[^"]*#day" name="show" value="([\d-]+)"', page.text
    )
    page = await post("/book", slot=NINE, show="2030-01-04")
    assert '<time class="slot-time" datetime="2030-01-04T' in page.text
    page = await post("/book", zone="Europe/London", show="2030-01-03")
    assert "Thursday 3 January 2030, London time" in page.text
    page = await post("/book")
    assert page.status_code == 422
    page = await post("/th/book?language=th", slot=ELEVEN)
    assert ('lang="th"' in page.text, f'value="{ELEVEN}" checked' in page.text) == (True, True)
    page = await post("/th/book", slot=ELEVEN)
    assert (page.status_code, page.url.path) == (200, "/th/book/details")
    assert [f"{hold.starts_at:%Y%m%dT%H%MZ}" for hold in await rows_in(context.store, Hold)] == [ELEVEN]
    assert all(
        text in page.text for text in ('value="Ada Lovelace"', "&lt;b&gt;&#34;A &amp; Co&#34;", "\n\r\none\r\n two<", "12:11")
    )
    assert inputs(page.text)["key"] == form["key"]

    booked = await browser.post(
        f"{page.url.path}?{page.url.query.decode()}", data=inputs(page.text) | ADA | typed | {"slot": ELEVEN}
    )

    assert booked.status_code == 303
    [meeting] = await rows_in(context.store, Meeting)
    assert (meeting.full_name, meeting.time_zone) == ("Ada Lovelace", "Europe/London")


async def test_what_was_typed_stays_if_there_are_no_times(browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing_free(self: ProviderClient, request: SlotsRequest, *, client_ip: str = "") -> Slots:
        return Slots(results=[])

    address, form = await filled_in(browser)
    monkeypatch.setattr(ProviderClient, "meeting_slots", nothing_free)
    shown = await browser.post(address, data=form | {"do": "release"}, follow_redirects=True)
    assert '<button form="slot" formaction="/th/book?' in shown.text

    thai_page = await browser.post("/th/book?language=th", data=inputs(shown.text))
    monkeypatch.undo()
    times = await browser.post("/th/book", data=inputs(thai_page.text) | {"zone": "UTC", "show": ""})

    assert offered_slots(times.text)
    assert inputs(times.text)["full_name"] == "Ada Lovelace"


async def test_the_form_stays_if_all_times_cannot_be_loaded(
    browser: httpx.AsyncClient, context: ApiContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silence(self: ProviderClient, request: SlotsRequest, *, client_ip: str = "") -> None:
        raise ProviderError

    address, form = await filled_in(browser)
    monkeypatch.setattr(ProviderClient, "meeting_slots", silence)

    response = await browser.post(address, data=form | {"do": "release"})

    assert response.status_code == 503
    assert 'value="Ada Lovelace"' in response.text
    assert len(await rows_in(context.store, Hold)) == 1


async def test_trying_again_loses_nothing_if_the_times_could_not_be_loaded(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silence(self: ProviderClient, request: SlotsRequest, *, client_ip: str = "") -> None:
        raise ProviderError

    address, form = await filled_in(browser)
    times = await browser.post(address, data=form | {"do": "release"}, follow_redirects=True)
    with monkeypatch.context() as patch:
        patch.setattr(ProviderClient, "meeting_slots", silence)
        referer = f"http://{browser.base_url.netloc.decode()}/faq?ref=A2C3D4E5"
        first_page = await browser.get("/book", headers={"Referer": referer})
        next_page = await browser.post("/book", data=inputs(times.text) | {"slot": NINE, "show": "2030-01-04"})

    assert (first_page.status_code, next_page.status_code) == (503, 503)
    assert 'class="brand" href="/?ref=A2C3D4E5"' in first_page.text
    [retry] = re.findall(r'button-strong" href="([^"]*)"', first_page.text)
    assert parse_qs(inputs((await browser.get(unescape(retry))).text)["attribution"])["ref"] == ["A2C3D4E5"]
    shown = await browser.post("/book", data=inputs(next_page.text))
    assert inputs(shown.text)["full_name"] == "Ada Lovelace"
    assert inputs(shown.text)["day"] == "2030-01-04"


async def test_an_address_fills_in_nothing_on_the_page_of_times(browser: httpx.AsyncClient) -> None:
    page = await browser.get("/book?full_name=Mallory&key=0123456789abcdef")

    assert 'value="Mallory"' not in page.text
    assert 'href="/book?' in page.text


async def test_a_time_taken_meanwhile_leads_back_to_the_times(browser: httpx.AsyncClient, clock: Clock) -> None:
    address = await hold_time(browser)
    clock.advance(timedelta(minutes=11))
    lapsed = await browser.get(address)
    await hold_time(browser)  # another visitor

    response = await browser.get(address)

    assert lapsed.status_code == 200
    assert "Held for you" not in lapsed.text
    assert response.status_code == 303
    assert NO_LONGER_FREE in (await browser.get(response.headers["Location"])).text


async def test_back_after_a_booking_says_that_the_visitor_may_have_booked_the_time(
    browser: httpx.AsyncClient, clock: Clock
) -> None:
    address, form = await filled_in(browser)
    clock.advance(timedelta(minutes=1))
    assert (await browser.post(address, data=form)).status_code == 303

    went_back = await browser.get(address, follow_redirects=True)
    never_held = await browser.get(f"/book/details?slot={NINE}", follow_redirects=True)

    assert [NO_LONGER_FREE in page.text for page in (went_back, never_held)] == [True, False]
    assert [problem("slot_gone", "slot") in page.text for page in (went_back, never_held)] == [False, True]


async def test_a_missing_time_and_a_taken_time_are_reported(browser: httpx.AsyncClient) -> None:
    assert (await browser.post("/book", data={"zone": "UTC"})).status_code == 422
    await hold_time(browser)
    refused = await browser.post("/book", data={"slot": NINE})
    assert refused.status_code == 409
    assert problem("slot_gone", "slot") in refused.text


async def test_a_form_sent_too_fast_can_be_sent_again(browser: httpx.AsyncClient, context: ApiContext, clock: Clock) -> None:
    address, form = await filled_in(browser)

    hasty = await browser.post(address, data=form | {"website_url": "https://spam.example"})
    clock.advance(timedelta(seconds=5))
    resent = await browser.post(address, data=inputs(hasty.text) | {"slot": NINE} | ADA)

    assert (hasty.status_code, resent.status_code) == (422, 303)


async def test_get_requests_change_nothing(browser: httpx.AsyncClient, context: ApiContext, clock: Clock) -> None:
    path = await book_in_browser(browser, clock)

    async def stored_rows() -> list[dict[str, Any]]:
        return [
            row.model_dump()
            for table in (Meeting, BookingCell, Hold, ManageLink)
            for row in await rows_in(context.store, table)
        ]

    rows_before = await stored_rows()

    for address in (path, f"{path}/move", f"{path}/call.ics", f"{path}?do=cancel", f"{path}/move?slot={ELEVEN}", "/book"):
        for method in ("GET", "HEAD"):
            assert (await browser.request(method, address)).status_code == 200

    assert await stored_rows() == rows_before
    assert len(await rows_in(context.store, Outbox)) == 2


async def test_a_meeting_is_moved_and_then_cancelled(browser: httpx.AsyncClient, context: ApiContext, clock: Clock) -> None:
    path = await book_in_browser(browser, clock)
    choice = (await browser.get(f"{path}/move")).text
    assert NINE not in offered_slots(choice)
    await context.store.write(mark_mails_sent)

    moved = await browser.post(f"{path}/move", data={"slot": ELEVEN, "zone": "Asia/Bangkok"})
    page = (await browser.get(moved.headers["Location"])).text
    assert "18:00 Bangkok · 11:00 London" in page
    assert "16:00 Bangkok · 09:00 London" in page  # its earlier time
    await context.store.write(mark_mails_sent)

    cancelled = await browser.post(path, data={"do": "cancel"})
    page = (await browser.get(cancelled.headers["Location"])).text
    assert "This call has been cancelled" in page
    assert "Yes, cancel the call" not in page
    assert (await browser.get(f"{path}/move")).status_code == 409
    assert "Your call is booked" not in (await browser.get(f"{path}?done=booked")).text
    assert [row.template for row in await rows_in(context.store, Outbox)][2:] == [
        "call-moved-visitor",
        "call-moved-host",
        "call-cancelled-visitor",
        "call-cancelled-host",
    ]


async def test_a_call_moved_in_another_zone_is_shown_and_mailed_in_it(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    path = await book_in_browser(browser, clock)
    await context.store.write(mark_mails_sent)

    moved = await browser.post(f"{path}/move?zone=Asia/Kathmandu", data={"slot": ELEVEN, "zone": "Asia/Kathmandu"})
    await browser.post(f"{path}/move", data={"slot": NINE, "zone": "Mars/Base"})

    assert "16:45 Kathmandu · 11:00 London" in (await browser.get(moved.headers["Location"])).text
    assert {meeting.time_zone for meeting in await rows_in(context.store, Meeting)} == {"Asia/Kathmandu"}
    mail = (await rows_in(context.store, Outbox))[2]
    assert (mail.template, mail.payload["time_zone"]) == ("call-moved-visitor", "Asia/Kathmandu")


async def test_the_video_call_is_shown_until_the_meeting_ends(
    browser: httpx.AsyncClient, context: ApiContext, clock: Clock
) -> None:
    path = await book_in_browser(browser, clock)
    [meeting] = await rows_in(context.store, Meeting)

    clock.advance(meeting.starts_at - clock() + timedelta(minutes=5))
    late = await browser.get(path)
    clock.advance(context.settings.booking_length)
    over = await browser.get(path)

    assert "Move the call" not in late.text
    assert meeting.conferencing_url in late.text
    assert meeting.conferencing_url not in over.text


async def test_a_link_that_belongs_to_no_call_names_the_email_to_look_in(browser: httpx.AsyncClient) -> None:
    response = await browser.get("/meetings/unknown")

    assert response.status_code == 404
    assert "Please use the link in our latest email." in response.text


async def test_too_many_moves_require_the_link_of_a_mail(browser: httpx.AsyncClient, context: ApiContext, clock: Clock) -> None:
    path = await book_in_browser(browser, clock)
    responses: list[httpx.Response] = []
    for number in range(MOVES_WITHOUT_MAILED_LINK + 1):
        await context.store.write(mark_mails_sent)
        responses.append(await browser.post(f"{path}/move", data={"slot": (ELEVEN, NINE)[number % 2]}))

    assert [response.status_code for response in responses] == [303] * MOVES_WITHOUT_MAILED_LINK + [409]
    assert "use the link in our latest email" in responses[-1].text
    assert len(await rows_in(context.store, Outbox)) == 2 * (MOVES_WITHOUT_MAILED_LINK + 1)


async def test_the_calendar_file_has_the_current_meeting(browser: httpx.AsyncClient, context: ApiContext, clock: Clock) -> None:
    path = await book_in_browser(browser, clock)
    await browser.post(f"{path}/move", data={"slot": ELEVEN})

    response = await browser.get(f"{path}/call.ics")

    event: Any = Calendar.from_ical(response.content).walk("VEVENT")[0]
    [stored] = await rows_in(context.store, Meeting)
    assert response.headers["Content-Type"].startswith("text/calendar")
    assert (event.start, event["sequence"]) == (stored.starts_at, 1)


async def test_invalid_requests_get_a_proper_response(browser: httpx.AsyncClient, clock: Clock) -> None:
    path, slots = await book_in_browser(browser, clock), ("", "x", "20300103T0907Z", "99999999T9999Z", "x" * 100_000)

    for address, slot in product(("/book", f"{path}/move", "/book/details"), slots):
        response = await browser.post(address, data={"slot": slot, "zone": "Mars/Base", "day": "soon"})
        assert 400 <= response.status_code < 500
        assert "<h1>" in response.text
    assert (await browser.get("/book?day=9999-12-31&zone=%00")).status_code == 200
    assert (await browser.post("/book", content=b"\xff" * 10)).status_code == 400
    assert (await browser.post("/book", content=b"a" * 200_000)).status_code == 413

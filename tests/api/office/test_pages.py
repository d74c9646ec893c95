"""The office's pages: reading, searching, answering, changing, undoing, erasing."""

import asyncio
import csv
import json
import re
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from sqlmodel import Session
from starlette.applications import Starlette

from site_app.contracts.meeting import MeetingRequest
from site_app.provider.booking.busy import note_failure, sources_of
from site_app.provider.booking.meeting import book_meeting
from site_app.provider.booking.slots import Availability
from site_app.provider.http.call import ApiContext
from site_app.provider.leads import export
from site_app.provider.leads.attachments import directory
from site_app.provider.leads.export import as_json
from site_app.provider.leads.queries import entries
from site_app.provider.leads.storing import SubmissionContext
from site_app.provider.office import pages
from site_app.provider.office.inbox import opening
from site_app.provider.office.meeting_pages import days_from
from site_app.provider.store.tables import (
    TEAM_STATUSES,
    Attachment,
    BookingCell,
    BusyTime,
    CalendarEntry,
    Lead,
    Meeting,
    Note,
    Outbox,
    PageView,
)
from tests.support.builders import meeting
from tests.support.clock import Clock
from tests.support.databases import ON_SQLITE
from tests.support.office_browser import ADA, BO, Browser, link_for, text_of
from tests.support.outbox import a_row
from tests.support.records import a_lead, a_meeting, a_message, a_quote, an_application
from tests.support.stored_rows import abandoned_mail, attached, keep, logged_actions, rows

pytestmark = pytest.mark.anyio
NOW = Clock().now
QUOTE = "Q-7F3K-29"
HOSTILE = '<script>alert(1)</script><b>=1+1</b> \u202egpj.exe สวัสดีครับ 👩‍🚀 " onload="x'


async def booked(context: ApiContext, slot: str = "20300103T0930Z") -> str:
    request = MeetingRequest.model_validate(meeting(slot=slot, time_zone="Asia/Bangkok"))
    submission = SubmissionContext(context.settings, context.tokens, context.clock())
    managed = await context.store.write(lambda session: book_meeting(session, request, submission))
    return managed.meeting.reference


async def test_the_inbox_lists_every_kind_the_newest_first(context: ApiContext, ada: Browser) -> None:
    await keep(
        context,
        a_quote(created_at=NOW - timedelta(hours=1)),
        a_message(created_at=NOW - timedelta(hours=3)),
        an_application(created_at=NOW - timedelta(hours=2)),
        a_meeting(created_at=NOW),
    )

    response = await ada.get()

    assert re.findall(r'href="/office/leads/(\w-[\w-]+)', response.text) == ["C-7F3K-29", QUOTE, "A-7F3K-29", "M-7F3K-29"]


@pytest.mark.parametrize(
    ("query", "references"),
    [
        ("kind=quote", {QUOTE}),
        ("kind=meeting", {"C-7F3K-29"}),
        ("status=won", {"M-7F3K-29"}),
        ("language=th", {"M-7F3K-29"}),
        ("since=2029-12-31", {QUOTE}),
        ("until=2029-12-30", {"M-7F3K-29", "C-7F3K-29"}),
        ("since=nonsense", {QUOTE, "M-7F3K-29", "C-7F3K-29"}),
        ("words=ALGEBRAIC+looms", set()),
        ("words=algebraic+Lovelace", {QUOTE}),
        ("words=q-7f3k", {QUOTE}),
        ("words=ada%40example", {QUOTE, "M-7F3K-29", "C-7F3K-29"}),
        ("words=engines", {QUOTE}),
        ("words=สวัสดี", {"M-7F3K-29"}),
        ("words=élan", {"M-7F3K-29"}),
        ("words=100%25", set()),
        ("words=%22Élan%22", {"M-7F3K-29"}),
        ("words=subject", set()),
        ("words=looms", {"C-7F3K-29"}),
    ],
)
async def test_the_inbox_is_filtered_and_searched(context: ApiContext, ada: Browser, query: str, references: set[str]) -> None:
    await keep(
        context,
        a_quote(created_at=NOW - timedelta(hours=20), company="Analytical Engines"),
        a_message(created_at=datetime.fromisoformat("2029-12-01T00:00Z"), language="th", status="won", message='สวัสดี "Élan"'),
        a_meeting(created_at=datetime.fromisoformat("2029-12-02T00:00Z")),
    )

    response = await ada.get(f"?{query}")

    assert set(re.findall(r'href="/office/leads/(\w-[\w-]+)', response.text)) == references


async def test_older_leads_are_on_the_next_page_and_none_is_left_out(context: ApiContext, ada: Browser) -> None:
    rows = [a_message(reference=f"M-{number:04}-22", created_at=NOW - timedelta(minutes=number // 3)) for number in range(60)]
    await keep(context, *rows)

    listed: list[str] = []
    path = ""
    while True:
        page = (await ada.get(path)).text
        listed += re.findall(r'href="/office/leads/(\w-[\w-]+)', page)
        older = re.search(r'href="(\?after=[^"]+)" rel="next"', page)
        if not older:
            break
        path = older[1].replace("&amp;", "&")

    assert sorted(listed) == sorted(row.reference for row in rows)


async def test_looking_at_a_lead_changes_nothing(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote())

    page = text_of(await ada.get(f"/leads/{QUOTE.lower()}"))

    assert "A machine that weaves algebraic patterns." in page
    assert "Ada Lovelace" in page
    assert [row.status for row in await rows(context, Lead)] == ["new"]
    assert await logged_actions(context) == []


@pytest.mark.parametrize("suffix", ["", "é" * 4900])
async def test_texts_of_visitors_are_escaped_everywhere(context: ApiContext, ada: Browser, suffix: str) -> None:
    words = HOSTILE + suffix
    hostile = {"full_name": words, "subject": words, "message": words}
    await keep(
        context,
        a_lead("message", "M", hostile, created_at=NOW, company=words, source_page=words, language=words[:40]),
        a_meeting(
            created_at=NOW, full_name=words, project_information=words, starts_at=NOW, ends_at=NOW + timedelta(minutes=30)
        ),
        a_lead("gone-kind", "G", {"odd": words}, reference="G-7F3K-29", created_at=NOW),
        attached("M-7F3K-29", words),
        PageView(day=NOW.date(), path="/faq", referrer="example.com", pattern="/faq", tag="", language="en", count=3),
    )

    for path in (
        "",
        f"?words={HOSTILE[:60].replace(' ', '+')}",
        "/leads/M-7F3K-29",
        "/leads/C-7F3K-29",
        "/leads/G-7F3K-29",
        "/calls",
        "/views",
    ):
        response = await ada.get(path)
        assert response.status_code == 200
        assert "<script>alert" not in response.text
        assert "<b>=1" not in response.text
        assert 'onload="x' not in response.text


async def test_status_and_owner_are_set_and_undone(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote())

    await ada.do(QUOTE, "handle", status="answered", owner=BO, version="0")

    [lead] = await rows(context, Lead)
    assert (lead.status, lead.owner, lead.version) == ("answered", BO, 1)
    assert await logged_actions(context) == [(ADA, "status", QUOTE), (ADA, "owner", QUOTE)]
    line = re.search(r'name="line" value="(\d+)"', (await ada.get(f"/leads/{QUOTE}")).text)
    assert line
    await ada.do(QUOTE, "undo", line=line[1])
    [lead] = await rows(context, Lead)
    assert (lead.status, lead.owner) == ("new", "")
    assert (await ada.do(QUOTE, "undo", line=line[1])).status_code == 409


@pytest.mark.parametrize("status", ["quarantined", "released", "nonsense", "<b>"])
async def test_a_status_that_cannot_be_set_by_hand_is_refused(context: ApiContext, ada: Browser, status: str) -> None:
    await keep(context, a_quote())

    assert (await ada.do(QUOTE, "handle", status=status, version="0")).status_code == 409
    assert [row.status for row in await rows(context, Lead)] == ["new"]


async def test_the_second_of_two_people_sees_the_change_of_the_first(context: ApiContext, ada: Browser, bo: Browser) -> None:
    await keep(context, a_quote())

    await ada.do(QUOTE, "handle", status="won", owner=ADA, version="0")
    refused = await bo.do(QUOTE, "handle", status="lost", owner=BO, version="0")

    assert refused.status_code == 409
    assert "Somebody was faster" in refused.text
    assert ADA in text_of(refused)
    assert re.search(r'value="lost" checked', refused.text)
    [lead] = await rows(context, Lead)
    assert (lead.status, lead.owner) == ("won", ADA)
    version = re.search(r'name="version" value="(\d+)"', refused.text)
    assert version
    await bo.do(QUOTE, "handle", status="lost", owner=BO, version=version[1])
    assert [row.status for row in await rows(context, Lead)] == ["lost"]


async def test_an_owner_is_somebody_of_the_team(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote())

    await ada.do(QUOTE, "handle", status="read", owner="stranger@example.com", version="0")

    assert [row.owner for row in await rows(context, Lead)] == [""]


async def test_a_note_is_stored_escaped_and_undone(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote())

    await ada.do(QUOTE, "note", text=f"Called.\n{HOSTILE}")

    page = (await ada.get(f"/leads/{QUOTE}")).text
    assert "Called." in page
    assert "<script>alert" not in page
    assert [entry for entry in await logged_actions(context) if "Called" in str(entry)] == []
    line = re.search(r'name="line" value="(\d+)"', page)
    assert line
    await ada.do(QUOTE, "undo", line=line[1])
    assert await rows(context, Note) == []


async def test_a_lead_in_quarantine_is_released_once_with_its_mails(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote(status="quarantined", status_reason="honeypot"))

    first = await ada.do(QUOTE, "release")
    second = await ada.do(QUOTE, "release")

    assert (first.status_code, second.status_code) == (303, 409)
    assert [row.status for row in await rows(context, Lead)] == ["released"]
    assert {row.template for row in await rows(context, Outbox)} == {"news", "answer"}


async def test_leads_leave_quarantine_only_by_release(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote(status="quarantined"))

    for status in TEAM_STATUSES:
        assert (await ada.do(QUOTE, "handle", status=status, version="0")).status_code == 409

    assert [row.status for row in await rows(context, Lead)] == ["quarantined"]


async def test_erasing_needs_a_confirmation_and_removes_everything(context: ApiContext, ada: Browser, tmp_path: Path) -> None:
    file, mail = directory(tmp_path) / "ab12", tmp_path / "mail" / f"{QUOTE}.news.eml"
    mail.parent.mkdir(exist_ok=True)
    file.write_text("x")
    mail.write_text("x")
    await keep(context, a_quote(), attached(QUOTE), Note(reference=QUOTE, person=ADA, written_at=NOW, text="Called."))

    question = await ada.do(QUOTE, "erase")
    assert question.status_code == 200
    assert len(await rows(context, Lead)) == 1
    await ada.do(QUOTE, "erase", sure=QUOTE)

    assert [await rows(context, table) for table in (Lead, Note, Attachment)] == [[], [], []]
    assert not file.exists()
    assert not mail.exists()
    assert (ADA, "erase", QUOTE) in await logged_actions(context)
    assert (await ada.get(f"/leads/{QUOTE}")).status_code == 404
    assert (await ada.do(QUOTE, "note", text="Too late")).status_code == 404


@ON_SQLITE
async def test_an_erasure_reports_copies_kept_by_a_reader(context: ApiContext, ada: Browser, tmp_path: Path) -> None:
    await keep(context, a_quote(), a_message())
    reader = sqlite3.connect(tmp_path / "site.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM lead").fetchone()

    held_back = await ada.do(QUOTE, "erase", sure=QUOTE)
    reader.close()
    complete = await ada.do("M-7F3K-29", "erase", sure="M-7F3K-29")

    pages = [text_of(await ada.client.get(response.headers["Location"])) for response in (held_back, complete)]
    assert ["write-ahead log" in page for page in pages] == [True, False]
    assert all("erased" in page for page in pages)


async def test_all_data_of_a_person_is_exported_and_erased_at_once(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote(), a_message(), an_application(email="other@example.org"))
    await ada.do(QUOTE, "note", text="Called.")

    exported = json.loads((await ada.get("/person.json?email=ADA@example.org")).text)
    question = await ada.do(QUOTE, "erase")
    await ada.do(QUOTE, "erase", sure=QUOTE, all="yes")

    assert {row["reference"] for row in exported} == {QUOTE, "M-7F3K-29"}
    assert "Called." in str(exported)
    assert "Erase all 2 of ada@example.org" in question.text
    assert [row.reference for row in await rows(context, Lead)] == ["A-7F3K-29"]
    assert (await ada.get("/person.json?email=ada@example.org")).status_code == 404


async def test_only_the_leads_own_files_are_sent_as_attachments(context: ApiContext, ada: Browser, tmp_path: Path) -> None:
    (directory(tmp_path) / "ab12").write_text("<script>alert(1)</script>")
    name = 'brief "ö".html'
    await keep(context, a_quote(), attached(QUOTE, name))

    response = await ada.get(f"/leads/{QUOTE}/files/ab12")

    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-store"
    for path in ("/leads/M-7F3K-29/files/ab12", f"/leads/{QUOTE}/files/cd34", f"/leads/{QUOTE}/files/..%2fsecret"):
        assert (await ada.get(path)).status_code == 404


async def test_the_filtered_leads_are_exported(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote(phone_e164="+442079460958", full_name="=1+1"), a_message(phone="+44-20-7946"))

    [line] = csv.DictReader(StringIO((await ada.get("/leads.csv?kind=quote")).text.removeprefix("\ufeff")))
    rows = json.loads((await ada.get("/leads.json?words=question")).text)

    assert (line["phone"], line["phone_e164"], line["full_name"]) == ("+44 20 7946 0958", "+442079460958", "'=1+1")
    assert [row["reference"] for row in rows] == ["M-7F3K-29"]
    every = csv.DictReader(StringIO((await ada.get("/leads.csv")).text.removeprefix("\ufeff")))
    assert list(every.fieldnames or ()) == list(line)


async def test_an_export_is_read_and_sent_page_by_page(
    context: ApiContext, ada: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PAGE_SIZE", 3)
    stamps = [clock() - timedelta(minutes=number // 4) for number in range(10)]  # some share the same moment
    await keep(
        context, *(a_quote(reference=f"Q-{number}", created_at=stamp) for number, stamp in enumerate(stamps)), a_meeting()
    )
    reads: list[object] = []
    read = context.store.read

    async def counted(job: Callable[[Session], object]) -> object:
        reads.append(job)
        return await read(job)

    monkeypatch.setattr(context.store, "read", counted)
    table, count = await ada.get("/leads.csv"), len(reads)
    listed = await ada.get("/leads.json")

    expected = [entry["reference"] for entry in await read(entries)]
    assert [line["reference"] for line in csv.DictReader(StringIO(table.text.removeprefix("\ufeff")))] == expected
    assert [entry["reference"] for entry in listed.json()] == expected
    assert listed.text == as_json(listed.json())
    assert "Content-Length" not in table.headers
    assert count > 4


async def test_an_empty_export_is_complete(context: ApiContext, ada: Browser) -> None:
    assert (await ada.get("/leads.json")).json() == []
    assert len((await ada.get("/leads.csv")).text.splitlines()) == 1
    assert (await ada.get("/leads.xml")).status_code == 404


async def test_answering_opens_the_mail_program_with_the_reference(context: ApiContext, ada: Browser) -> None:
    await keep(context, a_quote(email="o'brien+x?cc=y@example.org"))

    page = (await ada.get(f"/leads/{QUOTE}")).text

    assert f'href="mailto:o%27brien%2Bx%3Fcc%3Dy@example.org?subject=Re%3A%20{QUOTE}"' in page


async def test_a_week_names_the_public_holidays_that_are_closed(context: ApiContext, clock: Clock) -> None:
    settings = replace(context.settings, booking_holidays="GB")

    days = await context.store.read(lambda session: days_from(session, date(2029, 12, 31), settings=settings, now=clock()))

    assert [day.holiday for day in days] == ["", "New Year's Day", "", "", "", "", ""]


async def test_a_week_shows_meetings_blocked_times_and_days(context: ApiContext, ada: Browser) -> None:
    reference = await booked(context)
    await ada.post("/calls", **{"do": "block", "from": "2030-01-04", "why": "Away <b>"})

    page = await ada.get("/calls?week=2030-01-04")

    assert f"/office/leads/{reference}" in page.text
    assert "Away &lt;b&gt;" in page.text
    assert f"/office/leads/{reference}" not in (await ada.get("/calls?week=2030-01-09")).text
    assert (await ada.get("/calls?week=9999-99-99")).status_code == 200


async def test_a_blocked_day_takes_its_slots_and_gives_them_back(context: ApiContext, ada: Browser) -> None:
    reference = await booked(context, "20300104T0930Z")

    async def free() -> int:
        return len(
            await context.store.read(
                lambda session: [
                    slot
                    for slot in Availability(session, context.settings, NOW).slots()
                    if slot.start.date().isoformat() == "2030-01-04"
                ]
            )
        )

    free_before = await free()
    response = await ada.post("/calls", **{"do": "block", "from": "2030-01-04"})
    page = await ada.client.get(response.headers["Location"])
    [row] = await rows(context, BusyTime)

    assert "Still booked in a blocked time" in page.text
    assert f"{reference}, " in page.text
    assert (free_before > 0, await free()) == (True, 0)
    await ada.post("/calls", do="unblock", number=str(row.id))
    assert await free() == free_before
    assert (await ada.post("/calls", do="unblock", number=str(row.id))).status_code == 404


async def test_a_blocked_time_may_end_at_midnight(context: ApiContext, ada: Browser) -> None:
    await ada.post(
        "/calls", **{"do": "block", "from": "2030-07-03", "from_time": "18:00", "to": "2030-07-04", "to_time": "00:00"}
    )

    [row] = await rows(context, BusyTime)
    # London is an hour ahead of UTC.
    assert [f"{moment:%d %H:%M}" for moment in (row.starts_at, row.ends_at)] == ["03 17:00", "03 23:00"]


@pytest.mark.parametrize("form", [{}, {"from": "nonsense"}, {"from": "2030-01-04", "to": "2030-01-03"}, {"from": "9999-12-31"}])
async def test_an_invalid_time_is_not_blocked(context: ApiContext, ada: Browser, form: dict[str, str]) -> None:
    assert (await ada.post("/calls", **{"do": "block"} | form)).status_code == 422
    assert await rows(context, BusyTime) == []


async def test_a_moved_or_cancelled_meeting_is_mailed_to_its_visitor(context: ApiContext, ada: Browser) -> None:
    reference = await booked(context)
    slot = re.search(r'name="slot" value="(20300104T\w+)"', (await ada.get(f"/leads/{reference}/move?day=2030-01-04")).text)
    assert slot

    await ada.post(f"/leads/{reference}/move", slot=slot[1])
    await ada.do(reference, "cancel")

    [row] = await rows(context, Meeting)
    assert row.state == "cancelled"
    assert await rows(context, BookingCell) == []
    templates = {row.template for row in await rows(context, Outbox)}
    assert templates >= {"call-moved-visitor", "call-moved-host", "call-cancelled-visitor", "call-cancelled-host"}
    assert [action for _, action, _ in await logged_actions(context)] == ["move", "cancel"]
    assert (await ada.do(reference, "cancel")).status_code == 409
    assert (await ada.get(f"/leads/{reference}/move")).status_code == 409


async def test_a_meeting_is_not_moved_to_a_time_that_is_taken(context: ApiContext, ada: Browser) -> None:
    reference = await booked(context)
    await booked(context, "20300104T0930Z")

    response = await ada.post(f"/leads/{reference}/move", slot="20300104T0930Z")

    assert response.status_code == 409
    assert {f"{row.starts_at:%d}" for row in await rows(context, Meeting)} == {"03", "04"}


async def test_a_note_is_written_on_a_meeting_that_is_over(context: ApiContext, ada: Browser, clock: Clock) -> None:
    reference = await booked(context)
    clock.advance(timedelta(hours=6))
    await ada.get()
    clock.advance(timedelta(hours=11))
    await ada.get()
    clock.advance(timedelta(hours=9))

    await ada.do(reference, "note", text="They want a shop.")

    assert "They want a shop." in (await ada.get(f"/leads/{reference}")).text


@pytest.mark.parametrize("days", ["7", "30", "90", "nonsense", "12"])
async def test_page_views_are_compared_with_the_period_before(context: ApiContext, ada: Browser, days: str) -> None:
    def view(ago: int, count: int, path: str = "/faq", referrer: str = "") -> PageView:
        day = NOW.date() - timedelta(days=ago)
        return PageView(day=day, path=path, referrer=referrer, pattern=path, tag="", language="en", count=count)

    spam = a_message(created_at=NOW, status="quarantined", source_page="/faq")
    await keep(context, view(0, 40), view(100, 7), view(3, 2, "/contact-us", "example.com"), a_quote(created_at=NOW), spam)

    page = text_of(await ada.get(f"/views?days={days}"))

    assert "42 views" in page
    assert "example.com" in page
    assert "/faq 40 1 2.5%" in page
    assert "message" not in page


async def test_a_report_that_takes_long_is_shown_again_and_counted_anew(
    context: ApiContext, ada: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.office.report._QUICK_SECONDS", 0.0)
    view = PageView(day=NOW.date(), path="/", referrer="", pattern="/", tag="", language="en", count=5)
    first = text_of(await ada.get("/views"))
    await keep(context, view)

    clock.advance(timedelta(minutes=10))
    shown_again = text_of(await ada.get("/views"))
    while "5 views" not in (counted_anew := text_of(await ada.get("/views"))):  # noqa: ASYNC110
        await asyncio.sleep(0.01)

    assert ("0 views" in first, "Counted at" in first) == (True, False)
    assert ("0 views" in shown_again, "Counted at" in shown_again) == (True, True)
    assert "5 views" in counted_anew


async def test_a_shared_report_ends_with_its_day(
    context: ApiContext, ada: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.office.report._QUICK_SECONDS", 0.0)
    await ada.get("/views?days=7")
    tomorrow = NOW.date() + timedelta(days=1)
    await keep(context, PageView(day=tomorrow, path="/", referrer="", pattern="/", tag="", language="en", count=5))

    clock.advance(timedelta(days=1))
    await ada.post(await link_for(context, ADA))

    assert "5 views" in text_of(await ada.get("/views?days=7"))


async def test_sent_mails_are_counted_up_to_a_limit(context: ApiContext, ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.provider.office.pages._MAX_COUNTED", 3)
    sent = [a_row(number) for number in range(5)]
    for row in sent:
        row.status = "sent"
    await keep(context, *sent)

    page = text_of(await ada.get("/mail"))

    assert "over 3 sent" in page
    assert "0 dead" in page


@pytest.mark.parametrize(("status", "template"), [("new", "answer"), ("quarantined", "confirmation")])
async def test_a_withheld_mail_is_shown_on_the_page_of_its_lead(
    context: ApiContext, ada: Browser, status: str, template: str
) -> None:
    withheld = abandoned_mail(QUOTE, NOW)
    withheld.template, withheld.status = template, "withheld"
    await keep(context, a_quote(status=status), withheld)

    page = text_of(await ada.get(f"/leads/{QUOTE}"))

    assert "withheld, because" in page
    assert "was asked to confirm" not in page
    assert "1 withheld" in text_of(await ada.get("/mail"))


@pytest.mark.parametrize(
    "text",
    ["word " * 900, "word " * 139, "line\n" * 60, "One sentence, and one more. " * 100, "無空格的長句子。" * 300, "x" * 4000],
)
async def test_a_long_text_is_shown_in_full_in_two_parts(text: str) -> None:
    beginning, remainder = opening(text)

    assert "".join((beginning + remainder).split()) == "".join(text.split())
    assert len(beginning) <= 700
    assert beginning


async def test_abandoned_mails_are_shown_and_retried(context: ApiContext, ada: Browser) -> None:
    await keep(context, abandoned_mail(QUOTE, NOW))

    assert "550" in (await ada.get("/mail")).text
    await ada.post("/mail", do="retry", reference=QUOTE)

    assert [(row.status in ("waiting", "sending", "sent"), row.last_error) for row in await rows(context, Outbox)] == [
        (True, "")
    ]


async def test_a_test_mail_goes_to_oneself(context: ApiContext, ada: Browser) -> None:
    await ada.post("/mail", do="test", address="stranger@example.com")

    assert [row.recipient for row in await rows(context, Outbox) if row.template == "office-test"] == [ADA]


async def test_the_state_page_shows_the_findings_of_doctor(ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    async def findings() -> list[dict[str, str]]:
        return [
            {"subject": "disk", "state": "ok", "message": "There is room.", "fix": ""},
            {"subject": "mail", "state": "warning", "message": "It is slow.", "fix": "Wait."},
        ]

    monkeypatch.setattr(pages, "doctor", findings)
    page = text_of(await ada.get("/state"))

    assert "There is room." in page
    assert "It is slow." in page


async def test_one_run_of_doctor_answers_all_who_ask(ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    now, runs, has_begun, is_over = 1000.0, 0, asyncio.Event(), asyncio.Event()

    async def findings() -> list[dict[str, str]]:
        nonlocal runs
        runs += 1
        has_begun.set()
        await is_over.wait()
        return [{"subject": "disk", "state": "ok", "message": f"Run {runs}.", "fix": ""}]

    monkeypatch.setattr(pages, "doctor", findings)
    monkeypatch.setattr(pages, "monotonic", lambda: now)
    asking = [asyncio.ensure_future(ada.get("/state")) for _ in range(5)]
    await has_begun.wait()
    asking.pop(0).cancel()
    is_over.set()
    responses = [await response for response in asking] + [await ada.get("/state")]
    now += 60

    assert ["Run 1." in text_of(response) for response in responses] == [True] * 5
    assert "Run 2." in text_of(await ada.get("/state"))


async def test_the_state_page_reports_what_doctor_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_VAR", str(tmp_path))

    states = {finding["subject"]: finding["state"] for finding in await pages.doctor()}

    assert states["database"] == "failure"
    assert states["disk"] == "ok"


@pytest.mark.parametrize("output", [b"", b'[{"subject": "disk", "sta'])
async def test_a_failed_run_of_doctor_is_reported(ada: Browser, monkeypatch: pytest.MonkeyPatch, output: bytes) -> None:
    async def broken_off(*_: str, **__: object) -> bytes:
        return output

    monkeypatch.setattr(pages, "run_module", broken_off)

    response = await ada.get("/state")

    assert (response.status_code, "It gave no answer." in text_of(response)) == (200, True)


async def test_the_log_has_person_and_action_without_texts(context: ApiContext, ada: Browser, bo: Browser) -> None:
    await keep(context, a_quote())
    await ada.do(QUOTE, "note", text="A secret note")
    await bo.do(QUOTE, "handle", status="won", version="0")

    page = text_of(await ada.get("/log"))

    assert f"{BO} status {QUOTE} new → won" in page
    assert f"{ADA} note {QUOTE}" in page
    assert "secret" not in page
    assert "Lovelace" not in page


@pytest.mark.parametrize(
    "path", ["/nonsense", "/leads/Q-0000-00", "/leads/" + "x" * 500, "/leads.xml", "/leads/Q-0000-00/move"]
)
async def test_missing_pages_are_not_found(ada: Browser, path: str) -> None:
    assert (await ada.get(path)).status_code == 404


Sign = Callable[[str], Awaitable[Browser]]


async def test_a_meeting_that_the_host_deleted_in_the_calendar_is_asked_about(
    context: ApiContext, ada: Browser, cy: Browser
) -> None:
    reference = await booked(context)
    [row] = await rows(context, Meeting)
    entry = CalendarEntry(uid=row.uid, meeting_id=row.id, href="/x.ics", sequence=0, written_at=NOW, difference="deleted")
    await keep(context, entry)

    page, page_of_reader = text_of(await ada.get("/calls")), text_of(await cy.get("/calls"))
    await ada.post("/calls", do="write-entry", reference=reference)

    assert f"Your calendar no longer has the call {reference}" in page
    assert "Keep it" in page
    assert "Keep it" not in page_of_reader
    assert "no longer has" not in text_of(await ada.get("/calls"))
    assert (ADA, "write entry", reference) in await logged_actions(context)


async def test_an_unreadable_calendar_is_reported(api: Starlette, context: ApiContext, ada: Browser) -> None:
    settings = replace(context.settings, caldav_url=("https://dav.example.com/ada/calls/",))
    api.state.context = replace(context, settings=settings)
    [source] = sources_of(settings)
    await context.store.write(lambda session: note_failure(session, source.key, "ConnectTimeout", now=NOW))

    assert "calendar 1 (dav.example.com) could not be read (ConnectTimeout)" in text_of(await ada.get("/calls"))

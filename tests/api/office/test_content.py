"""Texts in the office: written, checked, published and withdrawn; two editors, an ended session, limits, roles."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session

from site_app.contracts.publication import parse
from site_app.core.settings import Settings
from site_app.provider.http.call import ApiContext
from site_app.provider.office.content.desk import ContentDesk
from site_app.provider.office.frame import DONE_MESSAGES
from site_app.provider.publishing import builds
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Build, Revision
from tests.support.clock import Clock
from tests.support.databases import ON_POSTGRES
from tests.support.locks import another_process, commit_when_awaited
from tests.support.office_browser import ADA, DI, Browser, text_of
from tests.support.office_texts import ENGLISH, FIELDS, PATH, base_of, install
from tests.support.stored_rows import logged_actions, rows_in

pytestmark = pytest.mark.anyio
THAI = """---
title: วิธีประเมินงาน
summary: ประมาณการทำจากอะไรบ้าง และทำไมจึงเป็นช่วงก่อนจะเป็นตัวเลขเดียว อ่านได้ในไม่กี่นาที
---
ข้อความ
"""
CORRECTED = {"text": "First part, corrected.\n"}
Sign = Callable[[str], Awaitable[Browser]]


async def test_a_new_text_is_published_once_it_is_complete(di: Browser, context: ApiContext, settings: Settings) -> None:
    response = await di.post("/content", do="new", kind="article", title="How we estimate")
    path = response.headers["Location"].removeprefix("/office")
    assert path == "/content/article/how-we-estimate/en"
    folder = settings.content_folder / "articles"
    folder.mkdir(parents=True)
    assert "to fix before it can be published" in text_of(await di.get(path))

    incomplete = FIELDS | {"f.authors": [], "languages": "en"}
    response = await di.send(path, do="publish", base=await base_of(di, path), **incomplete)
    assert response.status_code == 422
    assert "It cannot be published yet" in text_of(response)

    response = await di.send(path, do="publish", base=await base_of(di, path), languages="en", **FIELDS)
    assert response.headers["Location"] == "/office/content?done=publish"
    assert DONE_MESSAGES["publish"] in text_of(await di.get("/content?done=publish"))
    page = await di.get("/content?done=publish")
    assert "publishing" in text_of(page)
    assert 'http-equiv="refresh"' not in page.text
    assert "connect-src 'self'" in page.headers["Content-Security-Policy"]
    await install(context, folder)
    assert DONE_MESSAGES["publish"] not in text_of(await di.get("/content?done=publish"))
    assert parse((folder / "how-we-estimate.md").read_text()).fields["authors"] == ["priya-nair"]
    assert "published" in text_of(await di.get("/content"))


async def test_a_correction_is_online_only_once_it_is_published(di: Browser, context: ApiContext, folder: Path) -> None:
    file = folder / "estimates.md"
    corrected = FIELDS | {"text": "First part, corrected.\n"}

    response = await di.send(PATH, do="save", base=await base_of(di), **corrected)
    assert response.headers["Location"] == f"/office{PATH}?done=saved"
    assert "changed" in text_of(await di.get("/content"))
    assert "corrected" not in file.read_text()
    assert (DI, "save text") in {(person, action) for person, action, _ in await logged_actions(context)}

    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **corrected)
    await install(context, folder)
    assert "corrected" in file.read_text()


async def test_a_text_that_is_withdrawn_is_a_draft_until_it_is_published_again(
    di: Browser, context: ApiContext, folder: Path
) -> None:
    file = folder / "estimates.md"

    await di.send(PATH, do="withdraw")
    await install(context, folder)
    assert parse(file.read_text()).fields["draft"] == "true"
    assert " draft " in text_of(await di.get("/content"))

    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS)
    await install(context, folder)
    assert "draft" not in file.read_text()
    actions = {(person, action) for person, action, _ in await logged_actions(context)}
    assert {(DI, "withdraw"), (DI, "publish")} <= actions


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
async def test_a_file_with_other_line_ends_is_edited_and_withdrawn(
    di: Browser, context: ApiContext, folder: Path, line_end: str
) -> None:
    (folder / "estimates.md").write_bytes(ENGLISH.replace("\n", line_end).encode())

    page = (await di.get(PATH)).text
    assert 'name="f.title" value="How we estimate"' in page
    assert ">\nFirst part.\n\nSecond part.\n</textarea>" in page
    response = await di.send(PATH, do="save", base=await base_of(di), **FIELDS)
    assert response.headers["Location"].endswith("?done=unchanged")
    await di.send(PATH, do="withdraw")
    await install(context, folder)
    assert parse((folder / "estimates.md").read_text()).fields["draft"] == "true"


@pytest.mark.parametrize("front_matter", ["title: a: b\n", "title: How\x08\n"], ids=["not YAML", "control character"])
async def test_a_page_whose_file_is_broken_is_withdrawn_and_its_texts_are_kept(
    di: Browser, context: ApiContext, folder: Path, front_matter: str
) -> None:
    (folder / "estimates.md").write_text(f"---\n{front_matter}---\nFirst part.\n")
    (folder / "estimates.th.md").write_text(THAI, encoding="utf-8")

    response = await di.send(PATH, do="withdraw")

    assert response.headers["Location"] == "/office/content?done=withdraw"
    await install(context, folder)
    assert not (folder / "estimates.md").exists()
    assert not (folder / "estimates.th.md").exists()
    assert "First part." in (await di.get(PATH)).text
    assert "วิธีประเมินงาน" in (await di.get(PATH.replace("/en", "/th"))).text


@pytest.mark.parametrize("is_withdrawn", [False, True], ids=["a correction waits", "the withdrawal waits"])
async def test_a_change_that_is_about_to_be_public_is_taken_back(
    di: Browser, context: ApiContext, folder: Path, is_withdrawn: bool
) -> None:
    if is_withdrawn:
        await di.send(PATH, do="withdraw")
    else:
        await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS | CORRECTED)

    response = await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS)

    assert response.headers["Location"] == "/office/content?done=publish"
    await install(context, folder)
    assert parse((folder / "estimates.md").read_text()) == parse(ENGLISH)
    response = await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS)
    assert "it is already public as it is" in text_of(response)


async def test_a_schedule_does_not_replace_a_newer_text(di: Browser, context: ApiContext, folder: Path, clock: Clock) -> None:
    old = FIELDS | {"text": "Old.\n"}
    await di.send(PATH, do="schedule", base=await base_of(di), languages="en", moment="2030-01-05T09:30", **old)

    response = await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS | CORRECTED)

    assert response.headers["Location"] == "/office/content?done=publish-unscheduled"
    assert DONE_MESSAGES["publish-unscheduled"] in text_of(await di.get("/content?done=publish-unscheduled"))
    clock.advance(timedelta(days=30))
    await install(context, folder)
    assert "corrected" in (folder / "estimates.md").read_text()


async def test_a_schedule_after_another_may_bring_back_the_text_of_today(
    di: Browser, context: ApiContext, folder: Path
) -> None:
    await di.send(PATH, do="schedule", base=await base_of(di), languages="en", moment="2030-01-05T09:30", **FIELDS | CORRECTED)

    response = await di.send(PATH, do="schedule", base=await base_of(di), languages="en", moment="2030-01-09T09:30", **FIELDS)

    assert response.headers["Location"] == "/office/content?done=schedule"


async def test_a_pushed_change_is_taken_back_before_its_deployment(
    di: Browser, context: ApiContext, folder: Path, change_settings: Callable[..., None]
) -> None:
    change_settings(publish="git", publish_remote="https://git.example.com/site.git")
    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS | CORRECTED)
    await end_next(context)

    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS)

    await install(context, folder)
    assert parse((folder / "estimates.md").read_text()) == parse(ENGLISH)
    assert [build.paths for build in await rows_in(context.store, Build)] == [["articles/estimates.md"]] * 2


async def test_a_translation_is_published_with_its_page_and_taken_back_alone(
    ada: Browser, context: ApiContext, folder: Path
) -> None:
    thai = PATH.replace("/en", "/th")
    parts = parse(THAI)
    fields = {f"f.{name}": value for name, value in parts.fields.items()}
    await ada.send(thai, do="publish", base="", languages="th", text=parts.markdown, **fields)
    await install(context, folder)
    assert parse((folder / "estimates.th.md").read_text()).fields == parts.fields

    await ada.send(thai, do="withdraw")
    await install(context, folder)

    assert not (folder / "estimates.th.md").exists()
    page = (await ada.get(thai)).text
    assert '<h1 dir="auto" lang="th">วิธีประเมินงาน</h1>' in page
    assert re.search(r'<input [^>]*name="f\.title"[^>]* lang="th"', page)
    assert re.search(r'<textarea [^>]*name="f\.summary"[^>]* lang="th"', page)
    assert '<span dir="auto" lang="th">วิธีประเมินงาน</span>' in (await ada.get(f"{thai}/history")).text
    assert "draft" not in (folder / "estimates.md").read_text()


async def test_a_translation_that_is_withdrawn_leaves_the_english_scheduled(
    ada: Browser, context: ApiContext, folder: Path, clock: Clock
) -> None:
    (folder / "estimates.th.md").write_text(THAI, encoding="utf-8")
    thai = PATH.replace("/en", "/th")
    parts = parse(THAI)
    fields = {f"f.{name}": value for name, value in parts.fields.items()}
    await ada.send(thai, do="save", base=await base_of(ada, thai), text="ข้อความใหม่\n", **fields)
    moment = {"languages": ["en", "th"], "moment": "2030-01-05T09:30"}
    await ada.send(PATH, do="schedule", base=await base_of(ada), **FIELDS | CORRECTED | moment)

    response = await ada.send(thai, do="withdraw")

    assert response.headers["Location"] == "/office/content?done=withdraw-unscheduled"
    assert DONE_MESSAGES["withdraw-unscheduled"] in text_of(await ada.get("/content?done=withdraw-unscheduled"))
    clock.advance(timedelta(days=30))
    await install(context, folder)
    assert not (folder / "estimates.th.md").exists()
    assert "corrected" in (folder / "estimates.md").read_text()


@pytest.mark.parametrize("language", ["en", "th"], ids=["published as it is", "not yet translated"])
async def test_the_language_that_is_written_is_chosen_for_publishing(di: Browser, folder: Path, language: str) -> None:
    page = (await di.get(PATH.replace("/en", f"/{language}"))).text

    assert re.findall(r'name="languages" value="(\w+)" checked', page) == [language]


async def test_a_translation_of_a_draft_is_not_published_alone(ada: Browser, context: ApiContext, folder: Path) -> None:
    (folder / "estimates.md").write_text(ENGLISH.replace("date:", "draft: true\ndate:"), encoding="utf-8")
    parts = parse(THAI)
    fields = {f"f.{name}": value for name, value in parts.fields.items()}

    response = await ada.send(PATH.replace("/en", "/th"), do="publish", base="", languages="th", text=parts.markdown, **fields)

    assert response.status_code == 422
    assert "Publish the English text first" in text_of(response)
    assert await rows_in(context.store, Build) == []


async def test_a_file_written_elsewhere_is_edited_and_unchanged_ones_are_not_saved(
    ada: Browser, context: ApiContext, folder: Path
) -> None:
    response = await ada.send(PATH, do="save", base=await base_of(ada), **FIELDS)

    assert response.headers["Location"].endswith("?done=unchanged")
    await ada.send(PATH, do="save", base=await base_of(ada), **(FIELDS | {"f.title": "How"}))
    assert [row.person for row in await rows_in(context.store, Revision)] == ["", ADA]
    assert "from the published files" in text_of(await ada.get(f"{PATH}/history"))


async def test_two_editors_at_once_lose_nothing(ada: Browser, di: Browser, context: ApiContext, folder: Path) -> None:
    base = await base_of(ada)
    await ada.send(PATH, do="save", base=base, **(FIELDS | {"text": "First of Ada.\n\nSecond part.\n"}))
    response = await di.send(PATH, do="save", base=base, **(FIELDS | {"text": "First part.\n\nSecond of Di.\n"}))
    assert "done=merged" in response.headers["Location"]
    page = await di.get(response.headers["Location"].removeprefix("/office"))
    assert "First of Ada.\n\nSecond of Di.\n" in page.text

    base = await base_of(ada)
    await ada.send(PATH, do="save", base=base, **(FIELDS | {"text": "Ada\n", "f.title": "Ada’s"}))
    response = await di.send(PATH, do="publish", languages="en", base=base, **(FIELDS | {"text": "Di\n", "f.title": "Di’s"}))

    assert response.status_code == 409
    assert "&lt;&lt;&lt;&lt;&lt;&lt;&lt; yours\nDi\n=======\nAda\n&gt;&gt;&gt;&gt;&gt;&gt;&gt; saved meanwhile" in response.text
    assert "Ada’s" in text_of(response)
    assert "Di’s" in response.text
    assert await rows_in(context.store, Build) == []
    assert "set aside" in text_of(await di.get(f"{PATH}/history"))
    assert "This text contains two versions" in text_of(response)
    base = await base_of(di)
    unresolved = {"text": "<<<<<<< yours\nDi\n=======\nAda\n>>>>>>> saved meanwhile\n"}
    response = await di.send(PATH, do="publish", languages="en", base=base, **(FIELDS | unresolved))
    assert response.status_code == 422


async def test_an_earlier_state_is_compared_and_restored(ada: Browser, context: ApiContext, folder: Path) -> None:
    await ada.send(PATH, do="save", base=await base_of(ada), **(FIELDS | {"text": "Changed.\n"}))
    first, second = [row.id for row in await rows_in(context.store, Revision)]
    comparison = await ada.get(f"{PATH}/compare?from={first}&to={second}")
    assert "<del>First part.</del>" in comparison.text
    assert "<ins>Changed.</ins>" in comparison.text

    response = await ada.post(f"{PATH}/history", number=str(first))

    assert response.headers["Location"] == f"/office{PATH}?done=restore"
    assert "First part." in (await ada.get(PATH)).text
    assert len(await rows_in(context.store, Revision)) == 3


async def test_a_session_that_ended_keeps_the_text(di: Browser, sign_in: Sign, clock: Clock, folder: Path) -> None:
    base = await base_of(di)
    clock.advance(timedelta(hours=13))

    response = await di.send(PATH, do="publish", base=base, languages="en", **(FIELDS | {"text": "Written for hours.\n"}))

    assert response.status_code == 401
    assert "Your text has been kept" in text_of(response)
    new_session = await sign_in(DI)
    page = await new_session.get(PATH)
    assert "set aside" in text_of(page)
    assert "Written for hours" not in page.text
    link = re.search(rf'href="/office({PATH}/compare[^"]*)"', page.text)
    assert link
    assert "<ins>Written for hours.</ins>" in (await new_session.get(link[1].replace("&amp;", "&"))).text


async def test_a_schedule_waits_and_can_be_called_off(ada: Browser, context: ApiContext, folder: Path, clock: Clock) -> None:
    changed = FIELDS | {"text": "Later.\n"}
    for moment, words in (
        ("", "a time in the future"),
        ("2030-01-01T10:00", "a time in the future"),
        ("nonsense", "a time in the future"),
    ):
        response = await ada.send(PATH, do="schedule", base=await base_of(ada), languages="en", moment=moment, **changed)
        assert words in text_of(response)

    response = await ada.send(
        PATH, do="schedule", base=await base_of(ada), languages="en", moment="2030-01-05T09:30", **changed
    )

    assert response.headers["Location"] == "/office/content?done=schedule"
    [build] = await rows_in(context.store, Build)
    assert build.not_before == datetime(2030, 1, 5, 9, 30, tzinfo=UTC)
    assert build.paths == ["articles/estimates.md"]
    page = text_of(await ada.get("/content"))
    assert "scheduled" in page
    assert "Cancel it" in page
    await ada.post("/content", do="cancel-build", number=str(build.id))
    assert [build.state for build in await rows_in(context.store, Build)] == ["cancelled"]


async def end_next(context: ApiContext, *, problem: str = "") -> None:
    """Ends the build whose turn it is, without writing its files."""

    def end(session: Session) -> None:
        build = builds.lease(session, now=context.clock())
        assert build
        builds.finish(session, build, now=context.clock(), problem=problem)

    await context.store.write(end)


async def test_a_failure_stays_on_the_pages_until_its_text_is_public(
    di: Browser, context: ApiContext, folder: Path, clock: Clock
) -> None:
    await di.send(PATH, do="schedule", base=await base_of(di), languages="en", moment="2030-01-02T14:00", **FIELDS | CORRECTED)
    await di.post("/content", do="new", kind="article", title="Other")
    other = "/content/article/other/en"
    await di.send(other, do="publish", base=await base_of(di, other), languages="en", **FIELDS)
    await install(context, folder)
    clock.advance(timedelta(hours=3))
    await end_next(context, problem="The disk is full: make room, then publish again.")

    listing = text_of(await di.get("/content"))
    assert "Publishing articles/estimates.md failed" in listing
    assert "The disk is full" in listing
    assert "Everything requested is public" not in listing
    assert "Publishing failed" in text_of(await di.get(PATH))
    assert "Publishing failed" not in text_of(await di.get(other))

    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS | CORRECTED)
    assert "failed" not in text_of(await di.get("/content"))
    assert "Publishing failed" not in text_of(await di.get(PATH))
    await install(context, folder)
    assert "Everything requested is public" in text_of(await di.get("/content"))


async def test_a_failure_is_hidden_by_who_gives_the_change_up(di: Browser, context: ApiContext, folder: Path) -> None:
    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **FIELDS | CORRECTED)
    await end_next(context, problem="The disk is full: make room, then publish again.")
    [failed] = await rows_in(context.store, Build)

    await di.post("/content", do="dismiss-failure", number=str(failed.id))

    assert "failed" not in text_of(await di.get("/content"))


async def test_a_future_date_is_reported_before_publishing(ada: Browser, context: ApiContext, folder: Path) -> None:
    response = await ada.send(
        PATH, do="publish", base=await base_of(ada), languages="en", **(FIELDS | {"f.date": "2031-01-01"})
    )

    assert response.status_code == 422
    assert "Its date is 2031-01-01" in text_of(response)


@pytest.mark.parametrize(
    ("zone", "moment", "is_accepted"),
    [
        ("Europe/London", "2030-07-10T00:30", True),
        ("Asia/Bangkok", "2030-07-10T06:30", True),
        ("America/Los_Angeles", "2030-07-09T17:30", False),
    ],
)
async def test_a_text_may_be_scheduled_for_its_day_in_the_zone_of_the_agency(
    ada: Browser, folder: Path, change_settings: Callable[..., None], zone: str, moment: str, is_accepted: bool
) -> None:
    change_settings(booking_zone=zone)

    response = await ada.send(
        PATH, do="schedule", base=await base_of(ada), languages="en", moment=moment, **(FIELDS | {"f.date": "2030-07-10"})
    )

    assert ("Its date is 2030-07-10" not in text_of(response)) == is_accepted
    assert (response.status_code == 303) == is_accepted


@pytest.mark.parametrize(("zone", "moment"), [("Asia/Bangkok", "0001-01-01T00:00"), ("America/New_York", "9999-12-31T23:59")])
async def test_a_moment_outside_the_calendar_is_no_time_to_publish(
    ada: Browser, folder: Path, change_settings: Callable[..., None], zone: str, moment: str
) -> None:
    change_settings(booking_zone=zone)

    response = await ada.send(PATH, do="schedule", base=await base_of(ada), languages="en", moment=moment, **FIELDS)

    assert response.status_code == 422
    assert "Choose a time in the future." in text_of(response)


@pytest.mark.parametrize(("zone", "day"), [("Pacific/Kiritimati", "2030-01-03"), ("Pacific/Honolulu", "2030-01-02")])
async def test_a_new_text_has_the_day_of_the_agency_as_its_date(
    ada: Browser, folder: Path, change_settings: Callable[..., None], zone: str, day: str
) -> None:
    change_settings(booking_zone=zone)

    await ada.post("/content", do="new", kind="article", title="A new one")

    assert f'name="f.date" type="date" value="{day}"' in (await ada.get("/content/article/a-new-one/en")).text


async def test_a_translation_is_published_while_the_english_draft_has_a_future_date(
    di: Browser, context: ApiContext, folder: Path
) -> None:
    thai = PATH.replace("/en", "/th")
    parts = parse(THAI)
    fields = {f"f.{name}": value for name, value in parts.fields.items()}
    await di.send(PATH, do="save", base=await base_of(di), **(FIELDS | {"f.date": "2031-01-01"}))

    response = await di.send(thai, do="publish", base="", languages="th", text=parts.markdown, **fields)

    assert response.headers.get("Location") == "/office/content?done=publish", text_of(response)
    response = await di.send(thai, do="publish", base="", languages=["en", "th"], text=parts.markdown, **fields)
    assert "Its date is 2031-01-01" in text_of(response)


async def test_each_mistake_is_shown_at_its_field_or_with_its_line(ada: Browser, folder: Path) -> None:
    broken = {"f.summary": "short", "f.date": "", "f.updated": "x", "f.authors": [], "text": "Text\n\n# One\n"}
    await ada.send(PATH, do="save", base=await base_of(ada), **(FIELDS | broken))

    page = (await ada.get(PATH)).text

    for field in ("summary", "date", "updated", "authors"):
        assert f'aria-describedby="f-{field}-error"' in page
    assert "Line 3: The heading &#39;One&#39; has level 1" in page


async def test_too_long_a_text_is_refused_and_shown_again(di: Browser, context: ApiContext, folder: Path) -> None:
    response = await di.send(PATH, do="save", base=await base_of(di), **(FIELDS | {"text": "ก" * 70_000}))

    assert response.status_code == 413
    assert "ก" * 70_000 in response.text
    assert await rows_in(context.store, Revision) == []
    response = await di.send(PATH, do="save", text="x" * 600_000)
    assert response.status_code == 400
    response = await di.send(PATH, do="save", **{f"f.{number}": "x" for number in range(200)})
    assert response.status_code == 400


@pytest.mark.parametrize(
    ("character", "replacement"),
    [("\x0c", "\n"), ("\x0b", "\n"), *((character, "") for character in "\x08\x1b\x7f\ufffe\uffff")],
)
async def test_pasted_control_characters_are_removed(di: Browser, folder: Path, character: str, replacement: str) -> None:
    pasted = {"f.title": f"How we{character} estimate", "text": f"Page one.{character}Page two.\n"}

    await di.send(PATH, do="save", base=await base_of(di), **(FIELDS | pasted))

    page = (await di.get(PATH)).text
    assert 'name="f.title" value="How we estimate"' in page
    assert f">\nPage one.{replacement}Page two.\n</textarea>" in page


async def test_a_draft_with_a_control_character_opens_with_its_fields(di: Browser, folder: Path) -> None:
    (folder / "estimates.md").write_text(ENGLISH.replace("First part.", "First\x0cpart."), encoding="utf-8")

    page = (await di.get(PATH)).text

    assert 'name="f.title" value="How we estimate"' in page
    assert ">\nFirst\npart.\n\nSecond part.\n</textarea>" in page


async def test_a_new_text_has_no_control_character_in_its_title(di: Browser, context: ApiContext, folder: Path) -> None:
    await di.post("/content", do="new", kind="article", title="A\x0b new\x08 one")

    assert [row.title for row in await rows_in(context.store, Revision)] == ["A new one"]


async def test_html_and_foreign_links_are_not_published(di: Browser, context: ApiContext, folder: Path) -> None:
    bad = FIELDS | {"text": "<script>alert(1)</script>\n\n[x](javascript:alert(1))\n"}
    response = await di.send(PATH, do="publish", languages="en", base=await base_of(di), **bad)
    assert response.status_code == 422

    preview = await di.send(
        f"{PATH}/preview", **(FIELDS | {"text": "<script>alert(1)</script> <img src=x onerror=alert(1)>\n"})
    )

    assert "<script" not in preview.text
    assert "&lt;script&gt;" in preview.text


async def test_a_preview_is_private_and_saves_nothing(cy: Browser, di: Browser, context: ApiContext, folder: Path) -> None:
    preview = await di.send(f"{PATH}/preview", theme="dark", **(FIELDS | {"text": "## Not saved\n\nText.\n"}))

    assert preview.status_code == 200
    assert '<h2 id="not-saved">Not saved</h2>' in preview.text
    assert "How we estimate" in preview.text
    headers = preview.headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Robots-Tag"] == "noindex"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "script-src" not in policy
    assert "sandbox allow-same-origin" in policy
    assert await rows_in(context.store, Revision) == []
    assert "First part." in (await cy.get(f"{PATH}/preview")).text
    assert (await cy.get(PATH)).text.count("<button") == 0


async def test_a_draft_never_published_is_deleted_for_good(di: Browser, context: ApiContext, folder: Path) -> None:
    await di.post("/content", do="new", kind="case", title="A case")
    path = "/content/case/a-case/en"

    assert (await di.send(path, do="discard", sure="x")).status_code == 422
    response = await di.send(path, do="discard", sure="a-case")

    assert response.headers["Location"] == "/office/content?done=discard"
    assert await rows_in(context.store, Revision) == []
    assert (await di.send(PATH, do="discard", sure="estimates")).status_code == 422


async def new_text(browser: Browser) -> str:
    """Begins an article named Other and returns its path in the office."""
    await browser.post("/content", do="new", kind="article", title="Other")
    return "/content/article/other/en"


async def test_a_deleted_draft_is_not_published_by_its_schedule(
    di: Browser, context: ApiContext, folder: Path, clock: Clock
) -> None:
    path = await new_text(di)
    await di.send(path, do="publish", base=await base_of(di, path), languages="en", **FIELDS)
    await end_next(context, problem="The disk is full.")
    await di.send(path, do="schedule", base=await base_of(di, path), languages="en", moment="2030-01-05T09:30", **FIELDS)

    response = await di.send(path, do="discard", sure="other")

    assert response.headers["Location"] == "/office/content?done=discard"
    assert [build.state for build in await rows_in(context.store, Build)] == ["cancelled", "cancelled"]
    assert (DI, "cancel publishing") in {(person, action) for person, action, _ in await logged_actions(context)}
    clock.advance(timedelta(days=30))
    await install(context, folder)
    assert not (folder / "other.md").exists()


async def test_a_text_that_is_being_published_is_not_deleted(di: Browser, context: ApiContext, folder: Path) -> None:
    path = await new_text(di)
    await di.send(path, do="publish", base=await base_of(di, path), languages="en", **FIELDS)

    response = await di.send(path, do="discard", sure="other")

    assert response.status_code == 422
    assert "It is being published" in text_of(response)
    assert 'value="discard"' not in response.text
    assert await rows_in(context.store, Revision) != []


@ON_POSTGRES
async def test_a_text_that_somebody_else_is_publishing_is_not_deleted(
    di: Browser, context: ApiContext, folder: Path, database: str
) -> None:
    path = await new_text(di)
    await di.send(path, do="save", base=await base_of(di, path), **FIELDS)

    with another_process(database) as ada:
        builds.request(ada, {"articles/other.md": ENGLISH.encode()}, Actor(ADA, context.clock()))
        response = await commit_when_awaited(ada, context.store, di.send(path, do="discard", sure="other"))

    assert response.status_code == 422
    assert "It is being published" in text_of(response)
    assert await rows_in(context.store, Revision) != []


async def test_a_text_that_somebody_else_saves_while_it_is_checked_is_not_published(
    ada: Browser, di: Browser, context: ApiContext, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = await base_of(di)
    mistakes = ContentDesk.mistakes

    async def overtaken(*arguments: Any) -> Any:
        monkeypatch.setattr(ContentDesk, "mistakes", mistakes)
        newer = FIELDS | {"text": "First part, newer.\n\nSecond part.\n"}
        await ada.send(PATH, do="publish", base=await base_of(ada), languages="en", **newer)
        return await mistakes(*arguments)

    monkeypatch.setattr(ContentDesk, "mistakes", overtaken)
    older = FIELDS | {"text": "First part.\n\nSecond part, older.\n"}
    response = await di.send(PATH, do="publish", base=base, languages="en", **older)

    assert response.status_code == 409
    assert "Someone else has saved English in the meantime" in text_of(response)
    assert "First part, newer.\n\nSecond part.\n" in response.text
    assert [(build.requested_by, build.state) for build in await rows_in(context.store, Build)] == [(ADA, "waiting")]


async def test_a_pushed_text_is_withdrawn_and_not_deleted_before_its_deployment(
    di: Browser, context: ApiContext, folder: Path, change_settings: Callable[..., None]
) -> None:
    change_settings(publish="git", publish_remote="https://git.example.com/site.git")
    path = await new_text(di)
    await di.send(path, do="publish", base=await base_of(di, path), languages="en", **FIELDS)
    await end_next(context)

    response = await di.send(path, do="discard", sure="other")

    assert response.status_code == 422
    assert "It is in the repository" in text_of(response)
    assert 'value="withdraw"' in response.text
    assert 'value="discard"' not in response.text
    response = await di.send(path, do="withdraw")
    assert response.headers["Location"] == "/office/content?done=withdraw"
    await install(context, folder)
    assert parse((folder / "other.md").read_text()).fields["draft"] == "true"


async def test_without_a_way_to_publish_nothing_is_changed(
    di: Browser, context: ApiContext, folder: Path, change_settings: Callable[..., None]
) -> None:
    change_settings(publish="")

    listing = await di.get("/content")
    assert "SITE_PUBLISH is not set" in text_of(listing)
    for path, form in ((PATH, {"do": "save"}), ("/content", {"do": "new", "kind": "article", "title": "New"})):
        assert (await di.send(path, **(FIELDS | form))).status_code == 403
    assert await rows_in(context.store, Revision) == []


async def test_an_editor_sees_texts_and_nothing_else(di: Browser, folder: Path) -> None:
    assert (await di.get()).headers["Location"] == "/office/content"
    closed = (
        "/leads.csv",
        "/person.json?email=a@b.c",
        "/leads/Q-7F3K-29",
        "/calls",
        "/affiliates",
        "/views",
        "/mail",
        "/state",
        "/log",
    )
    assert {(await di.get(path)).status_code for path in closed} == {403}
    page = await di.get("/content")
    assert re.findall(r'<li><a href="/office([^"]*)"', page.text) == ["/content", "/people"]
    assert "an editor" in text_of(await di.get("/people"))


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/content/page/estimates/en",
            "/content/article/..%2f..%2fetc/en",
            "/content/article/Estimates/en",
            "/content/article/page/en",
        ),
        *("/content/article/estimates/xx", "/content/article/none/en", "/content/article/none/en/history"),
        *("/content/pictures/article/..%2f..%2fsite.db", "/content/pictures/article/estimates.md", "/content/pictures/x/a.png"),
        "/content/pictures/article/none.png",
    ],
)
async def test_guessed_addresses_are_not_found(di: Browser, folder: Path, path: str) -> None:
    assert (await di.get(path)).status_code == 404

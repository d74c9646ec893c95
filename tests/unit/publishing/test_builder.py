"""Publishing: what becomes public and when, what a failed or cut off build leaves, and what its process may."""

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select

from site_app.core.published_pages import CLIENT, EARLIER, page_tags, pages_folder, published_folder, publishing_folder
from site_app.provider.publishing import builder as builder_module
from site_app.provider.publishing import builds, folders
from site_app.provider.store.audit_log import audit_entries
from site_app.provider.store.tables import Build, BuildState
from tests.unit.publishing.publisher import Make, Publisher

pytestmark = pytest.mark.anyio


def page(publisher: Publisher) -> str:
    folder = published_folder(publisher.settings.var)
    return (folder / CLIENT / "index.html").read_text() if folder else ""


def text(publisher: Publisher, name: str) -> str:
    return (publisher.settings.content_folder / name).read_text()


async def test_a_changed_text_becomes_public_and_stands_in_the_content(publisher: Publisher) -> None:
    publisher.text("a.md", "old")
    publisher.text("gone.md", "gone")
    await publisher.request({"articles/a.md": b"new", "articles/gone.md": None, "articles/b.png": b"\x89PNG"})

    assert await publisher.builder.run_next()

    build = await publisher.latest()
    assert (build.state, build.problem) == (BuildState.DONE, "")
    assert "new" in page(publisher)
    assert "gone" not in page(publisher)
    assert text(publisher, "articles/a.md") == "new"
    assert (publisher.settings.content_folder / "articles/b.png").read_bytes() == b"\x89PNG"
    assert sorted(file.name for file in (publisher.settings.content_folder / "articles").iterdir()) == ["a.md", "b.png"]
    folder = published_folder(publisher.settings.var)
    assert folder is not None
    assert page_tags(folder) == {"/": "home", "/new": "new"}
    assert not await publisher.builder.run_next()


async def test_published_translations_appear_in_the_built_pages(publisher: Publisher) -> None:
    for content in (b"words", b"other words", None):
        await publisher.request({"translations/th.po": content})
        assert await publisher.builder.run_next()
        assert (await publisher.latest()).state == BuildState.DONE
        file = publisher.settings.content_folder / "translations/th.po"
        assert (file.read_bytes() if file.exists() else None) == content
        assert f"<body>{(content or b'').decode()}</body>" in page(publisher)


async def test_a_build_that_fails_says_why_and_changes_nothing(publisher: Publisher) -> None:
    publisher.text("a.md", "old")
    await publisher.request({})
    await publisher.builder.run_next()
    await publisher.request({"articles/a.md": b"BROKEN"})

    await publisher.builder.run_next()

    build = await publisher.latest()
    assert (build.state, build.problem) == (BuildState.FAILED, "articles/a.md, line 2: title: it is missing.")
    assert text(publisher, "articles/a.md") == "old"
    assert "old" in page(publisher)
    [entry, *_] = await publisher.store.read(audit_entries)
    assert (entry.action, entry.after) == ("publishing failed", build.problem)
    await publisher.request({"articles/a.md": b"right"})
    await publisher.builder.run_next()
    assert "right" in page(publisher)


async def test_two_sets_of_pages_are_kept_and_scripts_of_older_ones_for_a_day(publisher: Publisher) -> None:
    for words in (b"one", b"two", b"three", b"four"):
        await publisher.request({"articles/a.md": words})
        await publisher.builder.run_next()

    folders = sorted(folder.name for folder in pages_folder(publisher.settings.var).iterdir())
    current = published_folder(publisher.settings.var)
    assert folders == ["3-1", "4-1"]
    assert current is not None
    for folder in ("assets", "manifests"):
        scripts = [file.read_text() for file in (current / EARLIER / folder).iterdir()]
        assert sorted(scripts) == ["one", "three", "two"]

    for file in (current / EARLIER).rglob("*.js"):
        os.utime(file, (1, 1))
    await publisher.request({"articles/a.md": b"five"})
    await publisher.builder.run_next()
    current = published_folder(publisher.settings.var)
    assert current is not None
    assert [file.read_text() for file in (current / EARLIER).rglob("*.js")] == ["four", "four"]


async def test_the_process_of_a_build_has_no_secrets_and_is_limited(make: Make) -> None:
    secrets = {
        "SITE_SECRET": "s" * 30,
        "SITE_SMTP_PASSWORD": "hunter2",
        "SITE_NOTIFY": "slack=https://hooks.slack.com/services/hunter2 all",
        "SITE_COUNTRY_LOOKUP_URL": "https://geo.example.com/{address}?key=hunter2",
    }
    publisher = make(**secrets)
    await publisher.request({"articles/a.md": b"PRINT_ENVIRONMENT"})

    await publisher.builder.run_next()

    folder = published_folder(publisher.settings.var)
    assert folder is not None
    environment = json.loads((folder / CLIENT / "environment.json").read_text())
    assert "hunter2" not in str(environment)
    assert "s" * 30 not in str(environment)
    assert environment["SITE_ENV_FILE"] == ""
    assert not {"SITE_SECRET", "SITE_SMTP_PASSWORD", "SITE_DATABASE_URL", "SITE_VAR"} & set(environment)


async def test_two_builders_do_not_run_at_once(publisher: Publisher) -> None:
    await publisher.request({"articles/a.md": b"one"})
    await publisher.request({"articles/b.md": b"two"})
    second_publisher = publisher.another()

    ran = await asyncio.gather(publisher.builder.run_next(), second_publisher.run_next())

    assert sorted(ran) == [False, True]
    assert await second_publisher.run_next()
    states = await publisher.store.read(lambda session: [build.state for build in session.exec(select(Build))])
    assert states == [BuildState.DONE, BuildState.DONE]
    assert "one" in page(publisher)
    assert "two" in page(publisher)


async def test_a_process_that_has_lost_its_build_makes_nothing_public(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    publisher.text("a.md", "old")
    await publisher.request({})
    await publisher.builder.run_next()
    page_before = page(publisher)
    await publisher.request({"articles/a.md": b"new"})

    with monkeypatch.context() as patch:
        patch.setattr(builds, "renew", lambda *_, **__: False)  # as after a pause in which another process took it
        assert await publisher.builder.run_next()

    assert (await publisher.latest()).state == BuildState.RUNNING
    assert (page(publisher), text(publisher, "articles/a.md")) == (page_before, "old")


async def test_a_cancelled_build_leaves_no_process_and_begins_anew(publisher: Publisher) -> None:
    publisher.text("a.md", "old")
    await publisher.request({"articles/a.md": b"SLOW"})
    running = asyncio.create_task(publisher.builder.run_next())
    started = await _slow_process(publisher)

    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert _is_dead_soon(started)
    assert (await publisher.latest()).state == BuildState.RUNNING
    assert text(publisher, "articles/a.md") == "old"
    build = await publisher.store.write(lambda session: builds.lease(session, now=datetime.now(UTC)))
    assert build is not None
    assert build.attempts == 2


async def test_a_build_whose_first_process_is_killed_leaves_no_other(publisher: Publisher) -> None:
    await publisher.request({"articles/a.md": b"SLOW"})
    running = asyncio.create_task(publisher.builder.run_next())
    started = await _slow_process(publisher)
    [transport] = [process for process in _children() if "publishing.limited_process" in process[1]]

    os.kill(transport[0], signal.SIGKILL)
    await running

    assert _is_dead_soon(started)
    assert "more time or memory" in (await publisher.latest()).problem


def test_a_build_ends_when_the_site_dies(tmp_path: Path) -> None:
    """The first process kills the whole group as soon as its standard input ends, whatever ended the site."""
    script = "import os, subprocess, sys; print(os.getpid(), flush=True); subprocess.run(['sleep', '60'])"
    command = [sys.executable, "-m", "site_app.provider.publishing.limited_process", sys.executable, "-c", script]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdin
    assert process.stdout
    child = int(process.stdout.readline())

    process.stdin.close()

    assert process.wait(10) == -signal.SIGKILL
    process.stdout.close()
    assert _is_dead_soon(child)


async def test_a_build_that_takes_too_long_is_stopped(publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder_module, "MAX_BUILD_SECONDS", 0.5)
    await publisher.request({"articles/a.md": b"SLOW"})

    await publisher.builder.run_next()

    assert "took longer than" in (await publisher.latest()).problem


@pytest.mark.parametrize("place", ["prepare_pages", "make_public"])
async def test_a_full_disk_changes_nothing(publisher: Publisher, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    publisher.text("a.md", "old")
    await publisher.request({})
    await publisher.builder.run_next()
    pages_before = page(publisher)

    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(folders.os, "fsync" if place == "make_public" else "rename", no_room)
        if place == "prepare_pages":
            patch.setattr(folders.shutil, "move", no_room)
        await publisher.request({"articles/a.md": b"new"})
        await publisher.builder.run_next()

    assert (await publisher.latest()).problem == "The disk is full: make room, then publish again."
    assert (page(publisher), text(publisher, "articles/a.md")) == (pages_before, "old")
    assert [file.name for file in (publisher.settings.content_folder / "articles").iterdir()] == ["a.md"]


async def test_a_full_disk_in_the_build_itself_is_reported(publisher: Publisher) -> None:
    await publisher.request({"articles/a.md": b"FULL"})

    await publisher.builder.run_next()

    assert (await publisher.latest()).problem == "The disk is full: make room, then publish again."


@pytest.mark.parametrize("words", [b"new", b"SLOW"], ids=["before it begins", "while it runs"])
async def test_a_build_leaves_the_disk_that_leads_need(make: Make, monkeypatch: pytest.MonkeyPatch, words: bytes) -> None:
    publisher = make(SITE_UPLOADS_RESERVE_MB="500")
    has_begun = publishing_folder(publisher.settings.var) / "build-1-1/slow-build"

    def usage(_: object) -> SimpleNamespace:
        is_full = words != b"SLOW" or has_begun.exists()
        return SimpleNamespace(free=400_000_000 if is_full else 600_000_000)

    monkeypatch.setattr(builder_module.shutil, "disk_usage", usage)
    await publisher.request({"articles/a.md": words})

    async with asyncio.timeout(20):
        await publisher.builder.run_next()

    assert (await publisher.latest()).problem == "The disk is full: make room, then publish again."
    assert [*publishing_folder(publisher.settings.var).iterdir()] == []  # the room is free again


async def test_a_build_does_not_begin_without_room_for_its_workspace(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    publisher = make(SITE_UPLOADS_RESERVE_MB="1")
    (publisher.checkout / "assets/large.bin").write_bytes(bytes(3_000_000))
    monkeypatch.setattr(builder_module.shutil, "disk_usage", lambda _: SimpleNamespace(free=4_000_000))
    await publisher.request({"articles/a.md": b"new"})

    await publisher.builder.run_next()

    assert (await publisher.latest()).problem == "The disk is full: make room, then publish again."


async def test_a_workspace_for_which_the_disk_has_no_room_is_removed(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database could not note the failure where the copied files fill the disk."""

    def fills_up(_: Path, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "half").write_text("half of a file")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(folders.shutil, "copytree", fills_up)
    await publisher.request({"articles/a.md": b"new"})

    await publisher.builder.run_next()

    assert (await publisher.latest()).problem == "The disk is full: make room, then publish again."
    assert [*publishing_folder(publisher.settings.var).iterdir()] == []


async def test_folders_of_a_killed_build_are_removed(publisher: Publisher) -> None:
    root = publishing_folder(publisher.settings.var)
    for path in ("build-7-1/.web", "pages/.7-1.unfinished/client"):
        (root / path).mkdir(parents=True)
    await publisher.request({"articles/a.md": b"new"})

    await publisher.builder.run_next()

    assert sorted(file.name for file in root.iterdir()) == ["current", "pages", "workspace"]
    assert [folder.name for folder in (root / "pages").iterdir()] == ["1-1"]


async def test_the_workspace_is_kept_until_the_code_changes(publisher: Publisher) -> None:
    warm = publishing_folder(publisher.settings.var) / "workspace"
    await publisher.request({})
    await publisher.builder.run_next()
    (warm / "left").touch()
    await publisher.request({})
    await publisher.builder.run_next()
    assert (warm / "left").exists()

    (publisher.checkout / "assets/icon.svg").write_text("<svg></svg>")
    await publisher.request({})
    await publisher.builder.run_next()

    assert not (warm / "left").exists()
    assert (warm / "assets/icon.svg").read_text() == "<svg></svg>"


async def test_pages_of_older_code_or_texts_are_built_anew_at_the_start_once(publisher: Publisher) -> None:
    publisher.text("a.md", "text")

    await publisher.builder.prepare()
    await publisher.another().prepare()

    requests = await publisher.store.read(lambda session: builds.latest(session, 9))
    assert [(build.requested_by, build.paths, build.state) for build in requests] == [("the site", [], BuildState.WAITING)]


@pytest.mark.parametrize("zone", ["Europe/London", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
async def test_a_text_with_a_later_date_is_built_when_that_day_begins_for_the_agency(make: Make, zone: str) -> None:
    publisher = make(SITE_BOOKING_ZONE=zone)
    today = datetime.now(ZoneInfo(zone)).date()
    tomorrow, next_week = today + timedelta(days=1), today + timedelta(days=9)
    publisher.text("now.md", f"---\ntitle: A\ndate: {today}\n---\nText")
    publisher.text("later.md", f"---\ntitle: A\ndate: {next_week}\n---\nText")
    publisher.text("draft.md", f"---\ndate: {tomorrow}\ndraft: true\n---\nText")
    publisher.text("wrong.md", "---\ndate: 2026-13-45\n---\nText")

    await publisher.builder.prepare()
    await publisher.builder.run_next()

    now = datetime.now(UTC)
    planned = await publisher.store.read(lambda session: builds.scheduled(session, now=now))
    midnight = datetime(next_week.year, next_week.month, next_week.day, tzinfo=ZoneInfo(zone))
    assert [build.not_before for build in planned] == [midnight]


async def _slow_process(publisher: Publisher) -> int:
    root = publishing_folder(publisher.settings.var)
    for _ in range(200):
        if marks := [file for file in root.glob("build-*/slow-build") if file.read_text()]:
            return int(marks[0].read_text())
        await asyncio.sleep(0.05)
    raise AssertionError("the build did not begin")


def _is_dead_soon(number: int) -> bool:
    """Returns True if this process ends within some seconds: one that was killed may need a moment on a busy machine."""
    for _ in range(100):
        try:
            if Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def _children() -> list[tuple[int, str]]:
    states = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                states.append((int(folder.name), (folder / "cmdline").read_text().replace("\0", " ")))
    return states

"""The doctor finds faults, says how to fix them, and fails a deployment."""

import json
import os
import re
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from site_app.cli import doctor as checks
from site_app.cli.database import write
from site_app.core.settings import Settings, settings
from site_app.provider.booking.busy import claim_reading, sources_of, store_busy_times
from site_app.provider.outbox.targets import Receiver
from site_app.provider.publishing import builds
from site_app.provider.store import clock, engine
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.clock import note_time
from site_app.provider.store.tables import Lead, Outbox
from tests.support.databases import ON_POSTGRES, ON_SQLITE
from tests.support.outbox import a_row
from tests.support.records import a_message
from tests.support.site_server import free_port
from tests.unit.cli.site import Site
from tests.unit.cli.small_redis import small_redis


@pytest.fixture(autouse=True)
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    root: Path = tmp_path_factory.mktemp("root")
    (root / ".web" / "build" / "client").mkdir(parents=True)
    (root / ".web" / "build" / "client" / "index.html").write_text("")
    monkeypatch.setattr(checks, "ROOT", root)


def states(site: Site) -> dict[str, str]:
    """Returns the worst state that the doctor reports for each subject."""

    findings = json.loads(site.run("doctor", "--json").stdout)
    order = ["ok", "warning", "failure"]
    worst: dict[str, str] = {}
    for finding in findings:
        worst[finding["subject"]] = max(worst.get(finding["subject"], "ok"), finding["state"], key=order.index)
    return worst


def test_a_healthy_site_passes(site: Site) -> None:
    result = site.run("doctor")

    assert result.exit_code == 0, result.output
    assert set(states(site).values()) == {"ok"}


def test_copies_that_restores_left_are_named(site: Site) -> None:
    names = (
        ".restore-le_ft123/database",
        "site.db.restoring",
        "site.db.before-20261121-030000",
        "attachments.before-20261121-030000/ab",
    )
    for name in names:
        (site.var / name).parent.mkdir(exist_ok=True)
        (site.var / name).touch()

    output = site.run("doctor").output.replace("\n", "")

    assert all(str(site.var / name.partition("/")[0]) in output for name in names)
    assert states(site)["restore"] == "warning"


@ON_POSTGRES
def test_a_schema_that_a_restore_left_is_named(site: Site) -> None:
    write(lambda session: session.connection().execute(text("CREATE SCHEMA before_20261121_030000")))
    write(lambda session: session.connection().execute(text("CREATE SCHEMA beforehand")))

    output = site.run("doctor").output

    assert "DROP SCHEMA before_20261121_030000 CASCADE" in output
    assert "beforehand" not in output
    assert states(site)["restore"] == "warning"


def test_a_file_that_is_erased_during_the_check_is_left_out(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    (site.var / "attachments").mkdir()
    (site.var / "attachments" / "erased").symlink_to("gone")  # listed, and missing when its size is read

    assert site.run("doctor").exit_code == 0


def test_a_host_whom_the_site_does_not_know_is_reported(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_BOOKING_LANGUAGES", "th Siriporn Chaiyasit,cn Nobody")

    result = site.run("doctor")

    assert "SITE_BOOKING_LANGUAGES names Nobody" in result.output
    assert states(site)["hosts"] == "warning"


def test_built_pages_with_other_retention_periods_are_reported(site: Site) -> None:
    (checks.ROOT / ".web" / "build" / "built-with.json").write_text('{"SITE_KEEP_LEADS": "9000d"}')

    result = site.run("doctor")

    assert result.exit_code == 0
    assert "SITE_KEEP_LEADS=9000d" in "".join(result.output.split())
    assert states(site)["build"] == "warning"


def test_a_site_without_pages_fails_with_advice(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "ROOT", tmp_path)

    result = site.run("doctor")

    assert result.exit_code == 1
    assert "→ make run" in result.output


def test_an_older_release_runs_on_the_tables_of_a_newer_one(site: Site) -> None:
    write(lambda session: session.execute(text("UPDATE alembic_version SET version_num = '9999'")))

    assert states(site)["database"] == "warning"
    assert "A newer release has been here (9999)" in site.run("db", "upgrade").output


def test_a_broken_setting_is_the_only_report(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_NONSENSE", "1")

    result = site.run("doctor")

    assert result.exit_code == 1
    assert "SITE_NONSENSE" in result.output
    assert "database" not in result.output


@pytest.mark.parametrize("days", [800, -800])
def test_a_clock_far_from_the_last_sweep_is_refused_until_confirmed(site: Site, days: int) -> None:
    last_sweep = datetime.now(UTC) - timedelta(days=days)
    write(lambda session: note_time(session, last_sweep))
    site.add(a_message(created_at=datetime.now(UTC) - timedelta(days=790)))

    refused = site.run("retention", "run")
    clock_state = states(site)["clock"]
    leads_left = site.count(Lead)
    sure = site.run("retention", "run", "--clock-is-right")

    assert (refused.exit_code, clock_state, leads_left) == (1, "failure", 1)
    assert "--clock-is-right" in refused.output
    assert (sure.exit_code, site.count(Lead)) == (0, 0)
    assert "clock" not in states(site)


def test_leads_in_quarantine_are_counted_with_their_day_of_erasure(site: Site) -> None:
    now = datetime.now(UTC)
    site.add(*(a_message(reference=f"M-{number}", status="quarantined", created_at=now) for number in range(3)))

    (finding,) = [load for load in json.loads(site.run("doctor", "--json").stdout) if load["subject"] == "leads"]

    assert "3" in finding["message"]
    assert f"{now + settings().keep_quarantine:%Y-%m-%d}" in finding["message"]


@ON_SQLITE
def test_a_locked_database_is_reported_as_wrong(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 100)
    with sqlite3.connect(site.var / "site.db") as connection:
        connection.execute("BEGIN IMMEDIATE")

        output = site.run("doctor").output
    connection.close()

    assert "Another process has locked it." in output


def secret(site: Site, text: str, mode: int) -> None:
    (site.var / "secret").write_text(text)
    (site.var / "secret").chmod(mode)


def nearly_full(site: Site) -> None:
    (site.var / "attachments").mkdir(mode=0o700)
    with (site.var / "attachments" / "a").open("wb") as file:
        file.truncate(9_000_000)


def given_up() -> Outbox:
    row = a_row()
    row.status = "dead"
    return row


def untold() -> Outbox:
    """A notice that a target has refused."""
    row = a_row(kind="notice")
    row.recipient, row.status, row.attempts, row.last_error = "slack:sales", "waiting", 2, "HTTP 404"
    return row


def backed_up(site: Site, days_ago: int) -> None:
    (site.var / "last_backup").touch()
    at = time.time() - days_ago * 86_400
    os.utime(site.var / "last_backup", (at, at))


PUBLIC = {"SITE_PRODUCTION": "true", "SITE_URL": "https://www.example.com"}
SECURE = {"SITE_URL": "https://www.example.com"}
# Harms done to a healthy site, its settings, and the states that the doctor then reports.
Harm = Callable[[Site], object]
CASES: dict[str, tuple[list[Harm], dict[str, str], dict[str, str]]] = {
    "an open secret, samples, mails given up, plain http, a private webhook, no reserve, no mail server": (
        [lambda site: secret(site, "s" * 40, 0o644), lambda site: site.add(given_up())],
        {
            "SITE_PRODUCTION": "true",
            "SITE_WEBHOOK_URL": "https://127.0.0.1/hook",
            "SITE_WEBHOOK_SECRET": "s" * 24,
            "SITE_UPLOADS_RESERVE_MB": "999999999",
            "SITE_MAIL_TRANSPORT": "smtp",
            "SITE_SMTP_PORT": "9",
        },
        dict.fromkeys(("disk", "outbox", "settings", "targets", "uploads", "mail", "samples"), "failure"),
    ),
    "an empty secret": ([lambda site: secret(site, "", 0o600)], {}, {"disk": "failure"}),
    "an open directory, a proxy without a name, files that nearly fill their share of the disk": (
        [nearly_full, lambda site: site.var.chmod(0o755)],
        SECURE | {"SITE_UPLOADS_IN_ALL_MB": "10"},
        dict.fromkeys(("disk", "visitors", "uploads"), "warning"),
    ),
    "no backup": ([], PUBLIC, {"backup": "warning"}),
    "an old backup": ([lambda site: backed_up(site, 3)], PUBLIC, {"backup": "warning"}),
    "a backup of yesterday": ([lambda site: backed_up(site, 1)], PUBLIC, {"backup": "ok"}),
    "a proxy that is named": ([], SECURE | {"SITE_TRUSTED_PROXIES": "127.0.0.1"}, {"visitors": "ok"}),
    "no proxy": ([], {"SITE_URL": "http://www.example.com"}, {"visitors": "ok"}),
}


@pytest.mark.parametrize("case", CASES)
def test_doctor_reports_each_fault(site: Site, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    harms, environment, expected = CASES[case]
    for harm in harms:
        harm(site)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()

    assert expected.items() <= states(site).items()


def test_doctor_counts_mails_that_were_withheld_from_a_mailbox(site: Site) -> None:
    row = a_row()
    row.status = "withheld"
    site.add(row)

    [finding] = [line for line in json.loads(site.run("doctor", "--json").stdout) if line["subject"] == "outbox"]

    assert (finding["state"], re.findall(r"\d+", finding["message"])) == ("ok", ["1"])


@pytest.mark.parametrize(("people", "sentence"), [("", "It is off"), ("ada@example.com:owner", "may sign in: 1")])
def test_doctor_says_if_the_office_is_off(site: Site, monkeypatch: pytest.MonkeyPatch, people: str, sentence: str) -> None:
    monkeypatch.setenv("SITE_OFFICE", people)
    settings.cache_clear()

    [finding] = [line for line in json.loads(site.run("doctor", "--json").stdout) if line["subject"] == "office"]

    assert (finding["state"], sentence in finding["message"]) == ("ok", True)


@ON_POSTGRES
def test_a_clock_that_is_not_the_databases_is_reported(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "clock" not in states(site)

    monkeypatch.setattr(clock, "CLOCK_TOLERANCE", timedelta(seconds=-1))

    assert states(site)["clock"] == "failure"
    assert "database's clock" in site.run("doctor").output


def test_doctor_names_targets_whose_last_notice_failed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def receive(self: Receiver) -> None:
        pass

    monkeypatch.setattr(Receiver, "look_up", receive)
    monkeypatch.setenv(
        "SITE_NOTIFY", "slack=https://hooks.slack.com/canary all; slack:sales=https://hooks.slack.com/canary2 all"
    )
    settings.cache_clear()
    site.add(untold())

    findings = [line for line in json.loads(site.run("doctor", "--json").stdout) if line["subject"] == "targets"]

    assert [(line["state"], line["message"].partition(" ")[0]) for line in findings] == [
        ("ok", "slack"),
        ("failure", "slack:sales"),
    ]
    assert "HTTP 404" in findings[1]["message"]
    assert "canary" not in str(findings)


def test_a_calendar_is_reported_as_unread_until_it_was_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_BOOKING_BUSY_URL", "https://calendar.example.org/busy.ics")
    settings.cache_clear()
    now = datetime.now(UTC)

    state_before = states(site)["calendar"]
    write(lambda session: claim_reading(session, now=now, pause=timedelta(0)))
    while_it_is_read_first = states(site)["calendar"]
    [source] = sources_of(settings())
    write(lambda session: store_busy_times(session, source.key, [], now=now))
    state_after = states(site)["calendar"]

    assert (state_before, while_it_is_read_first, state_after) == ("warning", "warning", "ok")
    assert f"{now:%Y-%m-%d %H:%M}" in site.run("doctor").output


@pytest.mark.parametrize(
    ("reply", "state"), [("+OK", "ok"), ("-WRONGPASS invalid username-password pair or user is disabled.", "failure")]
)
def test_doctor_reports_whether_redis_accepts_the_site(
    site: Site, monkeypatch: pytest.MonkeyPatch, reply: str, state: str
) -> None:
    with small_redis(reply) as port:
        monkeypatch.setenv("SITE_REDIS_URL", f"redis://:hunter2@127.0.0.1:{port}/0")
        settings.cache_clear()

        assert states(site)["redis"] == state
        assert "hunter2" not in site.run("doctor").output


def test_a_redis_that_is_away_is_wrong(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_REDIS_URL", f"redis://:hunter2@127.0.0.1:{free_port()}/0")
    settings.cache_clear()

    assert states(site)["redis"] == "failure"


@ON_SQLITE
def test_a_database_that_is_gone_is_wrong_and_none_is_made(site: Site) -> None:
    (site.var / "site.db").unlink()

    assert states(site)["database"] == "failure"
    assert not (site.var / "site.db").exists()


@pytest.mark.parametrize(
    ("publish", "tool", "sentence"),
    [("build", "node", "There is no Node.js"), ("git", "git", "there is no git on this machine"), ("", "node", "")],
)
def test_a_site_without_its_publishing_tools_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, publish: str, tool: str, sentence: str
) -> None:
    monkeypatch.setattr(checks.shutil, "which", lambda name: None if name == tool else f"/usr/bin/{name}")
    monkeypatch.setattr(checks.sys, "executable", str(tmp_path / "python"))
    settings = Settings(publish=publish, publish_remote="/srv/git/site.git")

    if not sentence:
        checks.refuse_publishing(settings)
        return
    with pytest.raises(SystemExit, match=sentence) as refused:
        checks.refuse_publishing(settings)

    assert str(refused.value).startswith("SITE_PUBLISH is")


def test_a_failed_build_is_reported_until_one_succeeds(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_PUBLISH", "build")
    now = datetime.now(UTC)
    assert states(site)["publish"] == "ok"

    def end(problem: str) -> None:
        write(lambda session: builds.request(session, {}, Actor("ada@example.com", now)) and None)
        build = write(lambda session: builds.lease(session, now=now))
        assert build
        write(lambda session: builds.finish(session, build, now=now, problem=problem))

    end("articles/a.md, line 2: title: it is missing.")
    assert "title: it is missing" in site.run("doctor").output
    assert states(site)["publish"] == "warning"
    end("")

    assert states(site)["publish"] == "ok"


def test_a_failed_schedule_is_reported_although_a_later_request_succeeded_before(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_PUBLISH", "build")
    now = datetime.now(UTC)
    later = now + timedelta(hours=1)

    def request(path: str, moment: datetime) -> None:
        changes = {path: b"text"}
        write(lambda session: builds.request(session, changes, Actor("ada@example.com", now), not_before=moment) and None)

    def end(moment: datetime, problem: str) -> None:
        build = write(lambda session: builds.lease(session, now=moment))
        assert build
        write(lambda session: builds.finish(session, build, now=moment, problem=problem))

    request("articles/a.md", later)
    request("articles/b.md", now)
    end(now, "")
    end(later, "The disk is full.")

    assert "articles/a.md could not be published: The disk is full." in " ".join(site.run("doctor").output.split())

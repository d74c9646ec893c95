"""The doctor finds what is wrong, says what to mend, and fails a deployment."""

import asyncio
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from site_app.cli import checkups
from site_app.cli.database import write
from site_app.services.clock import believe
from site_app.settings import settings
from site_app.store import engine
from site_app.store.tables import Lead
from tests.databases import ON_SQLITE
from tests.unit.cli.conftest import Site
from tests.unit.letters.writing import a_message
from tests.unit.mail.mail_server import closed_port
from tests.unit.mail.outbox import a_row


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    root: Path = tmp_path_factory.mktemp("root")
    (root / ".web" / "build" / "client").mkdir(parents=True)
    (root / ".web" / "build" / "client" / "index.html").write_text("")
    monkeypatch.setattr(checkups, "ROOT", root)


def states(site: Site) -> dict[str, str]:
    """What the doctor thinks of each subject, the worst that was said."""

    found = json.loads(site.run("doctor", "--json").stdout)
    order = ["well", "odd", "wrong"]
    worst: dict[str, str] = {}
    for one in found:
        worst[one["subject"]] = max(worst.get(one["subject"], "well"), one["state"], key=order.index)
    return worst


@pytest.mark.usefixtures("built")
def test_a_healthy_site_passes(site: Site) -> None:
    result = site.run("doctor")

    assert result.exit_code == 0, result.output
    assert set(states(site).values()) == {"well"}


@pytest.mark.usefixtures("built")
def test_pages_that_promise_another_time_of_keeping_are_named(site: Site) -> None:
    (checkups.ROOT / ".web" / "build" / "built-with.json").write_text('{"SITE_KEEP_LEADS": "9000d"}')

    result = site.run("doctor")

    assert result.exit_code == 0
    assert "SITE_KEEP_LEADS=9000d" in "".join(result.output.split())
    assert states(site)["build"] == "odd"


def test_a_site_without_pages_fails_and_says_what_to_do(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkups, "ROOT", tmp_path)

    result = site.run("doctor")

    assert result.exit_code == 1
    assert "→ make run" in result.output


@pytest.mark.usefixtures("built")
@ON_SQLITE
def test_a_database_without_tables_is_wrong(site: Site) -> None:
    (site.var / "site.db").unlink()

    assert states(site)["database"] == "wrong"


@pytest.mark.usefixtures("built")
@ON_SQLITE
def test_a_damaged_database_is_wrong(site: Site) -> None:
    (site.var / "site.db").write_bytes(b"no database at all" * 1000)

    assert states(site)["database"] == "wrong"


@pytest.mark.usefixtures("built")
def test_a_secret_that_others_can_read_is_wrong(site: Site) -> None:
    (site.var / "secret").write_text("s" * 40)
    (site.var / "secret").chmod(0o644)

    assert states(site)["disk"] == "wrong"


@pytest.mark.usefixtures("built")
def test_a_directory_of_leads_that_others_can_look_into_is_odd(site: Site) -> None:
    site.var.chmod(0o755)

    assert states(site)["disk"] == "odd"


@pytest.mark.usefixtures("built")
def test_the_tables_of_a_newer_release_do_not_stop_one_that_is_put_back(site: Site) -> None:
    write(lambda session: session.execute(text("UPDATE alembic_version SET version_num = '9999'")))

    assert states(site)["database"] == "odd"
    assert "A newer release has been here (9999)" in site.run("db", "upgrade").output


@pytest.mark.usefixtures("built")
def test_a_mail_server_that_is_down_is_wrong(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_MAIL_TRANSPORT", "smtp")
    monkeypatch.setenv("SITE_SMTP_PORT", str(asyncio.run(closed_port())))
    settings.cache_clear()

    assert states(site)["mail"] == "wrong"


@pytest.mark.usefixtures("built")
def test_mails_that_were_given_up_are_wrong(site: Site) -> None:
    row = a_row()
    row.status = "dead"
    site.add(row)

    assert states(site)["outbox"] == "wrong"


@pytest.mark.usefixtures("built")
def test_a_public_site_on_plain_http_is_wrong(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_PRODUCTION", "true")

    assert states(site)["settings"] == "wrong"


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"SITE_URL": "https://www.example.com"}, "odd"),
        ({"SITE_URL": "https://www.example.com", "SITE_TRUSTED_PROXIES": "127.0.0.1"}, "well"),
        ({"SITE_URL": "http://www.example.com"}, "well"),
    ],
)
@pytest.mark.usefixtures("built")
def test_a_proxy_that_is_not_named_makes_one_of_all_visitors(
    site: Site, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], state: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    assert states(site)["visitors"] == state


@pytest.mark.usefixtures("built")
def test_a_webhook_into_a_private_network_is_wrong(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_WEBHOOK_URL", "https://127.0.0.1/hook")
    monkeypatch.setenv("SITE_WEBHOOK_SECRET", "s" * 24)

    assert states(site)["webhook"] == "wrong"


def test_a_broken_setting_is_all_that_is_said(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_NONSENSE", "1")

    result = site.run("doctor")

    assert result.exit_code == 1
    assert "SITE_NONSENSE" in result.output
    assert "database" not in result.output


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("days", [800, -800])
def test_a_clock_far_from_the_last_sweep_is_wrong_until_the_operator_vouches_for_it(site: Site, days: int) -> None:
    seen = datetime.now(UTC) - timedelta(days=days)
    write(lambda session: believe(session, seen))
    site.add(a_message(created_at=datetime.now(UTC) - timedelta(days=790)))

    refused = site.run("retention", "run")
    told = states(site)["clock"]
    left = site.count(Lead)
    sure = site.run("retention", "run", "--clock-is-right")

    assert (refused.exit_code, told, left) == (1, "wrong", 1)
    assert "--clock-is-right" in refused.output
    assert (sure.exit_code, site.count(Lead)) == (0, 0)
    assert "clock" not in states(site)


@pytest.mark.usefixtures("built")
def test_what_waits_in_quarantine_is_counted_with_the_day_it_goes(site: Site) -> None:
    now = datetime.now(UTC)
    site.add(*(a_message(reference=f"M-{number}", status="quarantined", created_at=now) for number in range(3)))

    (found,) = [one for one in json.loads(site.run("doctor", "--json").stdout) if one["subject"] == "leads"]

    assert "3" in found["says"]
    assert f"{now + settings().keep_quarantine:%Y-%m-%d}" in found["says"]


@pytest.mark.usefixtures("built")
def test_an_empty_secret_is_wrong(site: Site) -> None:
    (site.var / "secret").touch(0o600)

    assert states(site)["disk"] == "wrong"


@pytest.mark.usefixtures("built")
@ON_SQLITE
def test_a_database_that_is_gone_is_wrong_and_none_is_made(site: Site) -> None:
    (site.var / "site.db").rename(site.var / "aside.db")

    assert states(site)["database"] == "wrong"
    assert not (site.var / "site.db").exists()


@pytest.mark.usefixtures("built")
@ON_SQLITE
def test_a_database_that_another_process_has_locked_is_wrong_and_it_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 100)
    with sqlite3.connect(site.var / "site.db") as other:
        other.execute("BEGIN IMMEDIATE")

        found = site.run("doctor").output
    other.close()

    assert "Another process has locked it." in found


@pytest.mark.usefixtures("built")
def test_files_that_nearly_fill_their_share_of_the_disk_are_odd(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_UPLOADS_IN_ALL_MB", "10")
    settings.cache_clear()
    folder = site.var / "attachments"
    folder.mkdir(mode=0o700)
    with (folder / "a").open("wb") as file:
        file.truncate(9_000_000)

    assert states(site)["uploads"] == "odd"


@pytest.mark.usefixtures("built")
def test_a_disk_without_the_reserve_for_leads_is_wrong(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_UPLOADS_RESERVE_MB", "999999999")

    assert states(site)["uploads"] == "wrong"

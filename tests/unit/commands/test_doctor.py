"""The doctor finds what is wrong, says what to mend, and fails a deployment."""

import asyncio
import json
from pathlib import Path

import pytest
from sqlalchemy import text

from site_app.commands import checkups
from site_app.commands.database import write
from site_app.settings import settings
from tests.databases import ON_SQLITE
from tests.unit.commands.conftest import Site
from tests.unit.mailer.mail_server import closed_port
from tests.unit.mailer.outbox import a_row


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

"""Every command reports a wrong setting in a sentence, without a traceback."""

import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from site_app.cli import site
from site_app.cli.main import main
from site_app.core.settings import settings
from tests.support.databases import ON_SQLITE
from tests.support.site_server import ROOT, environment, free_port
from tests.unit.cli.small_redis import small_redis

COMMANDS = [*((command,) for command in ("run", "serve", "dev", "build", "doctor", "settings")), ("leads", "list")]
OF_THE_DATABASE = [command for command in COMMANDS if command[0] not in ("build", "export", "settings", "dev")]
SiteCommand = Callable[..., tuple[int, str]]


@pytest.fixture
def site_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[SiteCommand]:
    """Runs a command as a shell would; returns its exit code and its whole output."""
    monkeypatch.setenv("SITE_VAR", str(tmp_path / "var"))
    monkeypatch.setenv("SITE_PORT", str(free_port()))
    monkeypatch.setattr(site, "BUILT", tmp_path / "built")  # in the checkout another test may be building the pages
    (tmp_path / "built" / site.CLIENT).mkdir(parents=True)
    (tmp_path / "built" / site.CLIENT / "index.html").touch()

    def run(*arguments: str) -> tuple[int, str]:
        settings.cache_clear()
        monkeypatch.setattr(sys, "argv", ["site_app", *(argument.replace("{var}", str(tmp_path)) for argument in arguments)])
        try:
            code: object = main()
        except SystemExit as end:
            code = end.code
        captured = capfd.readouterr()
        output = captured.out + captured.err + (code if isinstance(code, str) else "")
        assert "Traceback" not in output
        return (code if isinstance(code, int) else 1), output

    yield run
    settings.cache_clear()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_names_the_setting_that_is_wrong(
    site_command: SiteCommand, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_BOOKING_ZONE", "Europe/Atlantis")
    monkeypatch.setenv("SITE_SMTP_PORT", "99999")

    code, output = site_command(*command)

    assert code == 1
    assert "SITE_BOOKING_ZONE is 'Europe/Atlantis'" in output
    assert "SITE_SMTP_PORT is '99999'" in output


def test_a_command_reports_a_wrong_setting_or_text_in_a_sentence(tmp_path: Path) -> None:
    """Commands import the site, which reads its settings and its texts."""
    shutil.copytree(ROOT / "site_app/content/articles", tmp_path / "articles")
    article = tmp_path / "articles/how-we-estimate.md"
    article.write_text(article.read_text().replace("summary:", "abstract:", 1))
    mistakes = {
        "SITE_SMTP_PORT is '99999'": {"SITE_SMTP_PORT": "99999"},
        "articles/how-we-estimate.md, line 1: summary: it is missing.": {"SITE_CONTENT": str(tmp_path)},
    }
    for sentence, bad_settings in mistakes.items():
        command = [sys.executable, "-m", "site_app", "build"]
        process = subprocess.run(command, cwd=ROOT, env=environment(bad_settings), capture_output=True, text=True, check=False)

        assert process.returncode == 1
        assert sentence in process.stderr
        assert "Traceback" not in process.stderr


@ON_SQLITE
@pytest.mark.parametrize("command", OF_THE_DATABASE, ids=" ".join)
def test_a_file_that_is_no_database_is_named(site_command: SiteCommand, command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "var").mkdir(mode=0o700)
    (tmp_path / "var" / "site.db").write_bytes(b"not a database at all " * 1000)

    code, output = site_command(*command)

    assert code == 1
    assert "not a database" in output
    assert "SITE_VAR" in output or "database" in output


@ON_SQLITE
@pytest.mark.parametrize("command", [("leads", "list"), ("mail", "status"), ("db", "upgrade"), ("serve",)], ids=" ".join)
def test_a_database_that_was_moved_away_keeps_its_log(
    site_command: SiteCommand, command: tuple[str, ...], tmp_path: Path
) -> None:
    log = tmp_path / "var" / "site.db-wal"
    log.parent.mkdir(mode=0o700)
    log.write_bytes(b"the last commits")

    code, output = site_command(*command)

    assert code == 1
    assert "put the file back" in output
    assert [file.name for file in log.parent.glob("site.db*")] == ["site.db-wal"]
    assert log.read_bytes() == b"the last commits"


@ON_SQLITE
@pytest.mark.parametrize(
    ("command", "revision"),
    [
        *(((command,), None) for command in ("run", "serve", "dev", "doctor")),
        (("db", "upgrade"), "5f3ac2"),
        (("db", "upgrade"), ""),
    ],
    ids=str,
)
def test_the_database_of_another_program_is_left_alone(
    site_command: SiteCommand, command: tuple[str, ...], revision: str | None, tmp_path: Path
) -> None:
    (tmp_path / "var").mkdir(mode=0o700)
    with sqlite3.connect(tmp_path / "var" / "site.db") as connection:
        connection.execute("CREATE TABLE recipe (name TEXT)")
        if revision is not None:
            connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
            connection.execute("INSERT INTO alembic_version VALUES (?)", [revision])
    connection.close()

    code, output = site_command(*command)

    assert code == 1
    assert "another program" in output
    assert "recipe" in output
    assert "SITE_" in output
    with sqlite3.connect(tmp_path / "var" / "site.db") as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    assert tables <= {"recipe", "alembic_version"}


@ON_SQLITE
@pytest.mark.parametrize("command", ["run", "serve", "dev"])
def test_a_database_that_cannot_be_written_stops_the_start(
    site_command: SiteCommand, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site_command("db", "upgrade")
    # Root may write to every file, so the engine is opened read-only instead.
    monkeypatch.setattr(
        "site_app.provider.store.engine._set_up_writer", lambda connection, _: connection.executescript("PRAGMA query_only=ON")
    )

    code, output = site_command(command)

    assert code == 1
    assert "readonly" in output
    assert "SITE_VAR" in output
    assert "writable" in output


@pytest.mark.parametrize("command", [("serve",), ("doctor",)], ids=" ".join)
@pytest.mark.parametrize("address", ["site:hunter2@127.0.0.1:9/site", "127.0.0.1:9/site?user=site&password=hunter2"])
def test_a_database_server_that_does_not_answer_is_named_without_its_password(
    site_command: SiteCommand, command: tuple[str, ...], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_DATABASE_URL", f"postgresql+psycopg://{address}")

    code, output = site_command(*command)

    assert code == 1
    assert "SITE_DATABASE_URL" in output
    assert "hunter2" not in output


@pytest.mark.parametrize("command", ["serve", "run", "dev", "doctor"])
def test_a_wrong_password_of_redis_stops_the_start(
    site_command: SiteCommand, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_redis("-WRONGPASS invalid username-password pair or user is disabled.") as port:
        monkeypatch.setenv("SITE_REDIS_URL", f"redis://:hunter2@127.0.0.1:{port}/0")

        code, output = site_command(command)

    assert code == 1
    assert "SITE_REDIS_URL" in output
    assert "hunter2" not in output


@pytest.mark.parametrize("command", ["serve", "run", "dev"])
def test_a_taken_port_is_reported_with_a_free_one(
    site_command: SiteCommand, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        monkeypatch.setenv("SITE_PORT", str(port))

        code, output = site_command(command)

    proposal = re.search(r"set SITE_PORT to another one, such as (\d+)", output)
    assert code == 1
    assert proposal
    assert int(proposal[1]) != port


def test_an_invalid_key_of_a_webhook_stops_the_start(site_command: SiteCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_WEBHOOK_URL", "https://crm.example.com/")
    monkeypatch.setenv("SITE_WEBHOOK_SECRET", "whsec_" + "?" * 30)

    code, output = site_command("serve")

    assert code == 1
    assert "SITE_WEBHOOK_SECRET" in output


def test_an_address_that_is_not_this_machines_is_named(site_command: SiteCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_HOST", "192.0.2.1")

    code, output = site_command("serve")

    assert code == 1
    assert "SITE_HOST" in output
    assert "SITE_PORT" not in output


def test_a_system_that_refuses_a_file_is_quoted(site_command: SiteCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "/var/lib/site")

    monkeypatch.setattr(Path, "mkdir", refused)

    code, output = site_command("db", "upgrade")

    assert code == 1
    assert "/var/lib/site: Permission denied" in output
    assert "SITE_VAR" in output


@pytest.mark.parametrize("program", [("reflex", "run"), ("alembic", "current")], ids=" ".join)
def test_reflex_and_alembic_report_a_wrong_setting_in_a_sentence(program: tuple[str, str]) -> None:
    tool = Path(sys.executable).with_name(program[0])
    process = subprocess.run(
        [sys.executable, str(tool), program[1]],
        cwd=ROOT,
        env=environment({"SITE_PORT": "99999"}),
        capture_output=True,
        text=True,
    )

    assert process.returncode == 1
    assert "SITE_PORT is '99999'" in process.stdout + process.stderr
    assert "Traceback" not in process.stdout + process.stderr

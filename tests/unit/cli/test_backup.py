"""A restore brings back everything in a backup; a command that would lose data is refused."""

import io
import json
import os
import shutil
import signal
import sqlite3
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, select
from typer.testing import CliRunner, Result

from site_app.cli import backup as backup_module
from site_app.cli.main import make
from site_app.core.settings import settings
from site_app.provider.store import copies, in_transaction, open_engine
from site_app.provider.store.copies import copy
from site_app.provider.store.tables import Attachment, Lead, Outbox
from tests.support.databases import ON_POSTGRES, ON_SQLITE, SERVER, empty_database, migrated_database
from tests.support.outbox import a_row
from tests.support.records import a_file, a_message


class Installation:
    """The directory and database of a site, and the commands run against them."""

    def __init__(self, var: Path, url: str, enter: Callable[["Installation"], None]) -> None:
        self.var, self.url, self._enter = var, url, enter

    def run(self, *arguments: str) -> Result:
        self._enter(self)
        return CliRunner().invoke(make(), list(arguments))

    def write(self, number: int) -> str:
        """Writes a lead and its mail in one commit, as the site does."""
        reference = f"M-{number:04}-22"
        row = a_row(number + 1)
        row.reference = reference
        self.keep(a_message(reference=reference), row)
        return reference

    def keep(self, *rows: Lead | Outbox | Attachment) -> None:
        engine = open_engine(self.url, connections=1)
        in_transaction(engine, lambda session: session.add_all(rows))
        engine.dispose()

    def references(self, table: type[Lead] | type[Outbox] = Lead) -> set[str]:
        engine = open_engine(self.url, read_only=True, connections=1)
        result = in_transaction(engine, lambda session: _references(session, table))
        engine.dispose()
        return result


def _references(session: Session, table: type[Lead] | type[Outbox]) -> set[str]:
    return {row.reference for row in session.exec(select(table))}


def fail_at_second_call(function: Callable[..., object], fail: Callable[..., object]) -> Callable[..., object]:
    """Returns a function whose first call, from the archive into a temporary folder, succeeds."""
    calls = count(1)
    return lambda *arguments: (fail if next(calls) == 2 else function)(*arguments)


@pytest.fixture
def new_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Installation]]:
    numbers = count()

    def enter(installation: Installation) -> None:
        monkeypatch.setenv("SITE_VAR", str(installation.var))
        monkeypatch.setenv("SITE_DATABASE_URL", installation.url)
        settings.cache_clear()

    with ExitStack() as databases:

        def build(*, empty: bool = False) -> Installation:
            var = tmp_path / f"installation{next(numbers)}"
            var.mkdir()
            database = empty_database if empty else migrated_database
            return Installation(var, databases.enter_context(database(var)), enter)

        yield build
    settings.cache_clear()


@pytest.fixture
def installation(new_installation: Callable[..., Installation]) -> Installation:
    return new_installation()


@pytest.fixture
def log_of_last_commit(installation: Installation, tmp_path: Path) -> Path:
    """Writes two leads, and returns a write-ahead log that would delete one, as a killed site leaves it."""
    installation.write(1)
    installation.write(2)
    log = tmp_path / "log"
    database = installation.var / "site.db"
    shutil.copyfile(database, tmp_path / "later.db")
    with closing(sqlite3.connect(tmp_path / "later.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("DELETE FROM lead WHERE reference = 'M-0001-22'")
        connection.commit()
        shutil.copyfile(tmp_path / "later.db-wal", log)
    return log


def test_a_backup_during_writes_has_every_earlier_lead_and_no_partial_ones(
    installation: Installation, new_installation: Callable[..., Installation], tmp_path: Path
) -> None:
    references, enough, stop, numbers = [], threading.Event(), threading.Event(), count()

    def write() -> None:
        for number in count():
            references.append(installation.write(number))
            if len(references) == 20:
                enough.set()
            if stop.is_set():
                return

    def back_up() -> tuple[Path, set[str], Result]:
        before = set(references)
        file = tmp_path / f"site{next(numbers)}.tar"
        return file, before, installation.run("backup", str(file))

    writer = threading.Thread(target=write)
    writer.start()
    enough.wait(20)
    file, references_before, backup = back_up()
    while len(references) == len(references_before) and writer.is_alive():  # on a busy machine nothing may be written meanwhile
        file, references_before, backup = back_up()
    stop.set()
    writer.join()
    target = new_installation(empty=True)

    result = target.run("restore", str(file))

    assert backup.exit_code == result.exit_code == 0, backup.output + result.output
    assert references_before <= target.references() <= set(references) > references_before
    assert target.references() == target.references(Outbox)
    assert f"{len(target.references())} leads" in result.output


def test_attachments_and_the_secret_come_back_and_stay_private(
    installation: Installation, new_installation: Callable[..., Installation], tmp_path: Path
) -> None:
    (installation.var / "secret").write_text("s" * 32)
    stored = "0f" * 16
    (installation.var / "attachments").mkdir()
    (installation.var / "attachments" / stored).write_bytes(b"a drawing")
    installation.keep(a_file(stored), a_file("1e" * 16))

    backup = installation.run("backup", str(tmp_path / "site.tar"))
    target = new_installation(empty=True)
    target.run("restore", str(tmp_path / "site.tar"))

    assert "1 attachments are in the database but not on the disk" in backup.output
    assert (target.var / "secret").read_text() == "s" * 32
    assert (target.var / "attachments" / stored).read_bytes() == b"a drawing"
    private = [tmp_path / "site.tar", target.var / "secret", target.var / "attachments" / stored]
    assert {file.stat().st_mode & 0o777 for file in private} == {0o600}


def test_a_secret_that_is_a_link_comes_back_as_a_file(
    installation: Installation, new_installation: Callable[..., Installation], tmp_path: Path
) -> None:
    (tmp_path / "secret elsewhere").write_text("s" * 32)
    (installation.var / "secret").symlink_to(tmp_path / "secret elsewhere")
    installation.run("backup", str(tmp_path / "site.tar"))
    target = new_installation(empty=True)

    result = target.run("restore", str(tmp_path / "site.tar"))

    assert result.exit_code == 0, result.output
    assert not (target.var / "secret").is_symlink()
    assert (target.var / "secret").read_text() == "s" * 32


def test_a_backup_with_a_link_or_without_a_database_replaces_nothing(installation: Installation, tmp_path: Path) -> None:
    """Earlier releases wrote a secret that is a link as a link."""
    (installation.var / "secret").write_text("s" * 32)
    installation.run("backup", str(tmp_path / "site.tar"))
    installation.write(1)

    def rewrite(name: str, *, link: str = "", without: str = "") -> Path:
        with tarfile.open(tmp_path / "site.tar") as source, tarfile.open(tmp_path / name, "w") as target:
            for member in source.getmembers():
                if member.name == link:
                    member.type, member.linkname, member.size = tarfile.SYMTYPE, "elsewhere", 0
                if member.name != without:
                    target.addfile(member, source.extractfile(member) if member.isreg() else None)
        return tmp_path / name

    for file, complaint in (
        (rewrite("link.tar", link="secret"), "secret in the backup is no file"),
        (rewrite("without.tar", without="database"), "is damaged"),
    ):
        result = installation.run("restore", str(file), "--replace")

        assert (result.exit_code, complaint in result.output) == (1, True), result.output
        assert installation.references() == {"M-0001-22"}
        assert (installation.var / "secret").read_text() == "s" * 32


def test_an_encrypted_backup_is_called_one(installation: Installation) -> None:
    file = installation.var / "2026-11-21-031000.tar.age"
    file.write_bytes(b"age-encryption.org/v1\n-> X25519 abc\n")

    result = installation.run("restore", str(file))

    assert (result.exit_code, "age --decrypt" in result.output) == (1, True), result.output


def test_an_existing_database_is_refused_or_set_aside_and_never_lost(
    installation: Installation, new_installation: Callable[..., Installation]
) -> None:
    installation.write(1)
    file = installation.var / "site.tar"
    installation.run("backup", str(file))
    target = new_installation()
    target.write(2)

    refused = target.run("restore", str(file))
    untouched = target.references()
    replaced = target.run("restore", str(file), "--replace")

    assert refused.exit_code == 1
    assert untouched == {"M-0002-22"}
    assert replaced.exit_code == 0, replaced.output
    assert target.references() == {"M-0001-22"}
    assert "The previous" in replaced.output
    if not SERVER:
        (aside,) = target.var.glob("site.db.before-*")
        target.url = f"sqlite:///{aside}"
        assert target.references() == {"M-0002-22"}


def test_a_site_that_runs_is_not_restored_over(installation: Installation) -> None:
    installation.write(1)
    file = installation.var / "site.tar"
    installation.run("backup", str(file))
    running = open_engine(installation.url, connections=1)

    with running.connect():
        result = installation.run("restore", str(file), "--replace")

    running.dispose()
    assert result.exit_code == 1
    assert "stop the site first" in result.output
    assert installation.references() == {"M-0001-22"}


@ON_SQLITE
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"x" * 8192,
        lambda content: content[: len(content) // 2],
        lambda content: b"\0" * 4096 + content[4096:],
    ],
    ids=["foreign", "truncated", "without its first page"],
)
def test_a_damaged_database_is_set_aside(installation: Installation, damage: Callable[[bytes], bytes]) -> None:
    installation.write(1)
    file = installation.var / "site.tar"
    installation.run("backup", str(file))
    database = installation.var / "site.db"
    damaged = damage(database.read_bytes())
    database.write_bytes(damaged)

    result = installation.run("restore", str(file), "--replace")

    assert result.exit_code == 0, result.output
    assert installation.references() == {"M-0001-22"}
    (aside,) = installation.var.glob("site.db.before-*")
    assert aside.read_bytes() == damaged


@ON_SQLITE
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stopped"])
def test_a_restore_without_room_leaves_the_database_in_its_place(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    file = installation.var / "site.tar"
    installation.run("backup", str(file))
    installation.write(1)

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("site_app.provider.store.copies.shutil.copyfileobj", fail_at_second_call(shutil.copyfileobj, fail))

    result = installation.run("restore", str(file), "--replace")

    assert result.exit_code != 0
    assert installation.references() == {"M-0001-22"}
    assert sorted(path.name for path in installation.var.glob("site.db.*")) == []


@ON_SQLITE
@pytest.mark.parametrize("content", [b"", b"x" * 8192], ids=["empty", "foreign"])
def test_the_log_of_a_damaged_database_is_set_aside_with_it(
    installation: Installation, log_of_last_commit: Path, content: bytes
) -> None:
    file = installation.var / "site.tar"
    installation.run("backup", str(file))
    (installation.var / "site.db").write_bytes(content)
    shutil.copyfile(log_of_last_commit, installation.var / "site.db-wal")

    result = installation.run("restore", str(file), "--replace")

    assert result.exit_code == 0, result.output
    assert installation.references() == {"M-0001-22", "M-0002-22"}
    (log,) = installation.var.glob("site.db.before-*-wal")
    assert log.read_bytes() == log_of_last_commit.read_bytes()


@ON_SQLITE
@pytest.mark.parametrize("options", [(), ("--replace",)])
@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_the_log_of_a_missing_database_is_set_aside(
    installation: Installation, log_of_last_commit: Path, suffix: str, options: tuple[str, ...]
) -> None:
    file = installation.var / "site.tar"
    installation.run("backup", str(file))
    (installation.var / "site.db").unlink()
    shutil.copyfile(log_of_last_commit, installation.var / f"site.db{suffix}")

    result = installation.run("restore", str(file), *options)

    assert result.exit_code == 0, result.output
    assert installation.references() == {"M-0001-22", "M-0002-22"}
    (log,) = installation.var.glob("site.db.before-*")
    assert log.name.endswith(suffix)
    assert log.read_bytes() == log_of_last_commit.read_bytes()
    assert str(log) in result.output.replace("\n", "")


@ON_POSTGRES
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_restore_that_is_stopped_leaves_the_tables_in_their_place(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    file = installation.var / "site.tar"
    installation.run("backup", str(file))
    installation.write(1)
    run = copies._run  # pyright: ignore[reportPrivateUsage]

    def restored_and_stopped(program: str, *arguments: Any) -> None:
        run(program, *arguments)
        signal.raise_signal(number)

    monkeypatch.setattr(copies, "_run", restored_and_stopped)

    result = installation.run("restore", str(file), "--replace")

    assert result.exit_code == 128 + number
    assert installation.references() == {"M-0001-22"}


def test_an_existing_backup_is_not_overwritten(installation: Installation) -> None:
    file = installation.var / "site.tar"
    file.write_text("yesterday's")

    assert installation.run("backup", str(file)).exit_code == 1
    assert file.read_text() == "yesterday's"


def test_a_failed_backup_leaves_no_partial_file(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tarfile.TarFile, "add", full)

    result = installation.run("backup", str(installation.var / "backups" / "site.tar"))

    assert result.exit_code == 1
    assert list((installation.var / "backups").iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"revision": "9999"}, "newer version"),
        ({"format": 2}, "newer version"),
        ({"database": "oracle"}, "another kind"),
        (None, "no backup of this site"),
    ],
)
def test_a_foreign_file_is_refused_before_anything_is_touched(
    installation: Installation, tmp_path: Path, changes: dict[str, object] | None, complaint: str
) -> None:
    installation.write(1)
    about = {"format": 1, "revision": "0001", "database": installation.url.partition("+")[0].partition(":")[0]}
    file = tmp_path / "site.tar"
    with tarfile.open(file, "w") as tar:
        manifest = json.dumps(about | (changes or {})).encode()
        member = tarfile.TarInfo("contents.json" if changes else "else")
        member.size = len(manifest)
        tar.addfile(member, io.BytesIO(manifest))

    result = installation.run("restore", str(file), "--replace")

    assert result.exit_code == 1
    assert complaint in result.output
    assert installation.references() == {"M-0001-22"}


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_backup_that_is_stopped_leaves_no_copy(
    installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    def stopped(url: str, target: Path) -> None:
        copy(url, target)
        signal.raise_signal(number)

    monkeypatch.setattr("site_app.cli.backup.copy", stopped)
    installation.write(1)

    result = installation.run("backup", str(tmp_path / "backups" / "site.tar"))

    assert result.exit_code == 128 + number
    assert list((tmp_path / "backups").iterdir()) == []


def test_the_remains_of_a_killed_backup_are_removed_by_the_next(installation: Installation, tmp_path: Path) -> None:
    abandoned, under_way = tmp_path / ".site-backup-le_ft123", tmp_path / ".site-backup-underway"
    for folder in (abandoned, under_way):
        folder.mkdir()
        (folder / "database").write_text("what they wrote")
    os.utime(abandoned, (1, 1))

    installation.run("backup", str(tmp_path / "site.tar"))

    assert (abandoned.exists(), under_way.exists()) == (False, True)


def test_the_remains_of_a_killed_restore_are_removed_by_the_next(installation: Installation, tmp_path: Path) -> None:
    left = installation.var / ".restore-le_ft123"
    left.mkdir()
    (left / "database").write_text("what they wrote")
    installation.run("backup", str(tmp_path / "site.tar"))

    result = installation.run("restore", str(tmp_path / "site.tar"), "--replace")

    assert result.exit_code == 0, result.output
    assert not left.exists()


@pytest.mark.parametrize(
    ("folder", "file"),
    [(".backup-of-ada", "database"), (".site-backup-of-ada", "database"), (".site-backup-abcd1234", "letters.odt")],
)
def test_old_folders_of_others_stay_beside_a_backup(installation: Installation, tmp_path: Path, folder: str, file: str) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / file).write_text("somebody else's")
    os.utime(tmp_path / folder, (1, 1))

    installation.run("backup", str(tmp_path / "site.tar"))

    assert (tmp_path / folder / file).read_text() == "somebody else's"


@pytest.mark.parametrize(
    ("damage", "is_older"),
    [
        ("truncated", False),
        ("truncated", True),
        ("zeros", False),
        ("broken header", False),
    ],  # older ones do not count their files
)
def test_a_truncated_backup_replaces_nothing(installation: Installation, tmp_path: Path, damage: str, is_older: bool) -> None:
    """In a broken header behind the first, tarfile sees the end of the archive. Older backups begin with contents.json."""
    (installation.var / "secret").write_text("s" * 32)
    file = tmp_path / "site.tar"
    installation.run("backup", str(file))
    installation.write(1)
    if is_older:
        reorder_as_older_release(file)
    with tarfile.open(file) as tar:
        secret = tar.getmember("secret")
    content = file.read_bytes()
    file.write_bytes(
        {
            "truncated": content[: secret.offset_data + 10],
            "zeros": content[: secret.offset] + bytes(len(content) - secret.offset),
            "broken header": content[: secret.offset] + b"x" * 512 + content[secret.offset_data :],
        }[damage]
    )

    result = installation.run("restore", str(file), "--replace")

    assert result.exit_code == 1, result.output
    assert "damaged" in result.output or "its end is missing" in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert installation.references() == {"M-0001-22"}


def test_a_backup_of_an_older_release_is_restored(installation: Installation, tmp_path: Path) -> None:
    installation.write(1)
    installation.run("backup", str(tmp_path / "site.tar"))
    reorder_as_older_release(tmp_path / "site.tar")

    result = installation.run("restore", str(tmp_path / "site.tar"), "--replace")

    assert result.exit_code == 0, result.output
    assert installation.references() == {"M-0001-22"}


def reorder_as_older_release(file: Path) -> None:
    """Rewrites the backup with contents.json first and without the number of files."""
    with tarfile.open(file) as source:
        members = {member.name: source.extractfile(member) for member in source.getmembers()}
        contents = {name: stream.read() for name, stream in members.items() if stream}
    about = json.loads(contents.pop("contents.json"))
    about.pop("files", None)
    with tarfile.open(file, "w") as target:
        for name, content in {"contents.json": json.dumps(about).encode(), **contents}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            target.addfile(member, io.BytesIO(content))


def test_a_backup_with_a_file_less_than_it_counted_is_refused(installation: Installation, tmp_path: Path) -> None:
    installation.run("backup", str(tmp_path / "site.tar"))
    reorder_as_older_release(tmp_path / "site.tar")
    with tarfile.open(tmp_path / "site.tar") as source, tarfile.open(tmp_path / "less.tar", "w") as target:
        about = json.load(source.extractfile("contents.json") or io.BytesIO()) | {"files": 2}
        target.addfile(source.getmember("database"), source.extractfile("database"))
        member = tarfile.TarInfo("contents.json")
        member.size = len(json.dumps(about))
        target.addfile(member, io.BytesIO(json.dumps(about).encode()))

    result = installation.run("restore", str(tmp_path / "less.tar"), "--replace")

    assert result.exit_code == 1
    assert "1 files are in it instead of 2" in result.output.replace("\n", " ")


def test_a_file_that_is_no_archive_is_refused(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "site.tar").write_text("no tar")

    assert "no backup of this site" in installation.run("restore", str(tmp_path / "site.tar")).output


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_restored_files_are_private(
    installation: Installation, new_installation: Callable[..., Installation], tmp_path: Path, umask: int
) -> None:
    installation.write(1)
    file = tmp_path / "further" / "site.tar"
    target = new_installation(empty=True)
    umask_before = os.umask(umask)
    try:
        installation.run("backup", str(file))
        assert target.run("restore", str(file)).exit_code == 0
    finally:
        os.umask(umask_before)

    assert file.parent.stat().st_mode & 0o077 == 0
    assert {path.name for path in [file, *target.var.rglob("*")] if path.stat().st_mode & 0o077} == set()


def test_texts_that_are_not_in_the_checkout_are_in_the_backup_and_come_back(
    new_installation: Callable[..., Installation], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = tmp_path / "content"
    (content / "articles").mkdir(parents=True)
    (content / "case_studies").mkdir()
    (content / "articles/a.th.md").write_text("ไทย")
    (content / "articles/board.png").write_bytes(b"\x89PNG")
    (content / "case_studies/b.md").write_text("case")
    (content / "articles/link.md").symlink_to("/etc/passwd")
    (content / "translations").mkdir()
    (content / "translations/th.po").write_text("words")
    monkeypatch.setenv("SITE_CONTENT", str(content))
    first = new_installation()
    assert ", 4 texts and pictures." in first.run("backup", str(tmp_path / "backup.tar")).output
    monkeypatch.setenv("SITE_CONTENT", str(tmp_path / "elsewhere"))

    result = new_installation(empty=True).run("restore", str(tmp_path / "backup.tar"))

    assert "4 texts and pictures are back" in result.output
    elsewhere = {
        str(file.relative_to(tmp_path / "elsewhere")): file.read_bytes() for file in (tmp_path / "elsewhere").rglob("*.*")
    }
    assert elsewhere == {
        "articles/a.th.md": "ไทย".encode(),
        "articles/board.png": b"\x89PNG",
        "case_studies/b.md": b"case",
        "translations/th.po": b"words",
    }

    (tmp_path / "elsewhere/articles/new.md").write_text("after the backup")
    new_installation(empty=True).run("restore", str(tmp_path / "backup.tar"))
    [put_aside] = (tmp_path / "elsewhere").glob("articles.before-*/new.md")
    assert put_aside.read_text() == "after the backup"


def test_texts_of_a_backup_never_overwrite_those_of_the_checkout(
    new_installation: Callable[..., Installation], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "content/articles").mkdir(parents=True)
    (tmp_path / "content/articles/how-we-estimate.md").write_text("other")
    monkeypatch.setenv("SITE_CONTENT", str(tmp_path / "content"))
    new_installation().run("backup", str(tmp_path / "backup.tar"))
    monkeypatch.delenv("SITE_CONTENT")

    result = new_installation(empty=True).run("restore", str(tmp_path / "backup.tar"))

    assert "were left out" in result.output
    assert result.exit_code == 0


def test_a_series_keeps_the_newest_backups_and_other_files(
    installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "series"
    folder.mkdir()
    (folder / "notes.tar").touch()
    names = (f"2026-11-2{day}-030000.tar" for day in count(1))
    monkeypatch.setattr(backup_module, "_next_of_series", lambda folder, *, is_encrypted: folder / next(names))

    results = [installation.run("backup", "--to", str(folder), "--keep", "2") for _ in range(3)]

    assert [result.exit_code for result in results] == [0, 0, 0]
    assert sorted(file.name for file in folder.iterdir()) == ["2026-11-22-030000.tar", "2026-11-23-030000.tar", "notes.tar"]


def test_backups_of_a_fast_clock_never_push_out_the_newest(installation: Installation, tmp_path: Path) -> None:
    folder = tmp_path / "series"
    folder.mkdir()
    future = [folder / f"2036-01-0{day}-030000.tar" for day in (1, 2)]
    for file in future:
        file.touch()
        os.utime(file, (2_082_000_000, 2_082_000_000))

    installation.run("backup", "--to", str(folder), "--keep", "2")

    (made_now,) = {*folder.iterdir()} - {*future}
    assert tarfile.is_tarfile(made_now)
    assert {*folder.iterdir()} == {future[1], made_now}


@pytest.mark.parametrize("arguments", [(), ("a.tar", "--to", "b")])
def test_a_backup_goes_into_a_file_or_into_a_folder(installation: Installation, arguments: tuple[str, ...]) -> None:
    result = installation.run("backup", *arguments)

    assert result.exit_code == 1
    assert "either a file or" in result.output


def test_an_encrypted_backup_is_what_age_made_of_it(
    installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "age").write_text(
        '#!/bin/sh\n[ "$2" = age1wrong ] && { echo "age: error: no key" >&2; exit 1; }\nbase64 "$5" > "$4"\n'
    )
    (programs / "age").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    folder = tmp_path / "series"

    refused = installation.run("backup", "--to", str(folder), "--recipient", "age1wrong")
    assert (refused.exit_code, "no key" in refused.output) == (1, True)
    assert list(folder.iterdir()) == []

    backup = installation.run("backup", "--to", str(folder), "--recipient", "age1right")
    assert backup.exit_code == 0
    (file,) = folder.iterdir()
    assert file.name.endswith(".tar.age")
    assert not tarfile.is_tarfile(file)
    assert file.stat().st_mode & 0o077 == 0


def test_without_age_nothing_is_written_unencrypted(
    installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_module.shutil, "which", lambda name: None)

    result = installation.run("backup", str(tmp_path / "a.tar.age"), "--recipient", "age1right")

    assert result.exit_code == 1
    assert "install the package age" in result.output
    assert not (tmp_path / "a.tar.age").exists()

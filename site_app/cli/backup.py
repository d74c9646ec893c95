"""python -m site_app backup, restore: everything that a site stores, in one file."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from sqlalchemy.engine import make_url
from sqlmodel import select

from site_app.cli.database import configured_url, read
from site_app.cli.printing import complain, give_up, print_text
from site_app.core import ROOT
from site_app.core.published_pages import CONTENT_FOLDERS, content_files
from site_app.core.settings import Settings, settings
from site_app.provider.leads.attachments import directory
from site_app.provider.leads.queries import count_entries
from site_app.provider.store.copies import NotCopied, copy, kind_of, last_backup, restore
from site_app.provider.store.migration import is_known, revision_of, upgrade
from site_app.provider.store.moving import restore_into_postgresql
from site_app.provider.store.tables import Attachment

_FORMAT = 1
_DATABASE, _SECRET, _CONTENTS = "database", "secret", "contents.json"
_ATTACHMENT_MEMBER = re.compile(r"attachments/[0-9a-f]{32}")
_TEXT_MEMBER = re.compile(rf"content/(?:{'|'.join(CONTENT_FOLDERS)})/[^/.][^/]*")
_OWNER_ONLY_MODE = 0o600
_DRAFT_PREFIX = ".site-backup-"
_DRAFT = re.compile(rf"{re.escape(_DRAFT_PREFIX)}[a-z0-9_]{{8}}")  # as tempfile names it
_DRAFT_FILES = {f"{_DATABASE}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")} | {_CONTENTS, "backup.tar", "backup.age"}
_RESTORE_PREFIX = ".restore-"
_RESTORE = re.compile(rf"{re.escape(_RESTORE_PREFIX)}[a-z0-9_]{{8}}")
_SET_ASIDE = re.compile(r"\.before-\d{8}-\d{6}(-wal|-shm|-journal)?$|\.restoring$")
_ABANDONED_AFTER_SECONDS = 86_400
_SERIES = re.compile(r"\d{4}-\d\d-\d\d-\d{6}\.tar(\.age)?")
_AGE_HEADER = b"age-encryption.org/"
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def backup(
    file: Annotated[Path | None, typer.Argument(help="A new file, such as backups/2026-11-21.tar.")] = None,
    to: Annotated[Path | None, typer.Option(help="A folder instead of a file: the backup is named after its time.")] = None,
    keep: Annotated[int, typer.Option(min=1, help="With --to: how many backups stay in the folder.")] = 14,
    recipient: Annotated[
        list[str] | None, typer.Option(help="Encrypts with age for this key (age1…); may be repeated.")
    ] = None,
) -> None:
    """Write database, attachments, the signing secret and the texts of SITE_CONTENT into one file, while the site runs.

    It contains all data of visitors: only you can read it; keep it encrypted, on another machine. Settings are not in it.
    """
    if (file is None) == (to is None):
        give_up("Name either a file or, by --to, a folder.")
    keys = recipient or []
    with _failures_shown():
        if keys and not shutil.which("age"):
            raise NotCopied("There is no program age on this machine, which encrypts: install the package age.")
        target = file or _next_of_series(to or Path(), is_encrypted=bool(keys))
        if target.exists():
            raise NotCopied(f"{target} exists already.")
        _write_backup(target, keys)
        if to:
            _remove_oldest(to, keep, newest=target)
        last_backup(settings().var).touch(_OWNER_ONLY_MODE)


def _next_of_series(folder: Path, *, is_encrypted: bool) -> Path:
    return folder / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}.tar{'.age' if is_encrypted else ''}"


def _remove_oldest(folder: Path, keep: int, *, newest: Path) -> None:
    """Removes all but the newest backups of a series. Other files in the folder stay.

    One from the future was made before the clock was put right, so it is older than the one that was made just now.
    """
    now = time.time()

    def age_rank(file: Path) -> tuple[float, str]:
        made_at = file.stat().st_mtime
        return (made_at if made_at <= now else 0.0, file.name)

    earlier = sorted((file for file in folder.iterdir() if _SERIES.fullmatch(file.name) and file != newest), key=age_rank)
    for file in earlier[: max(len(earlier) - keep + 1, 0)]:
        file.unlink()


def restore_backup(
    file: Annotated[Path, typer.Argument(help="A file that the command backup wrote.", exists=True, dir_okay=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Replace the data that is there.")] = False,
) -> None:
    """Restore database, attachments, the signing secret and the texts from a backup; the site must be stopped.

    A backup of an older version is brought up to date, and one of SQLite is moved into PostgreSQL if SITE_DATABASE_URL names it.
    Data erased since the backup must be erased again.
    """
    with _failures_shown():
        _restore_all(file, replace=replace)


@contextmanager
def _failures_shown() -> Iterator[None]:
    """Prints an error as one line. Signals end the command like sys.exit, so that no temporary copy is left behind."""
    handlers = {number: signal.signal(number, _stop) for number in _STOP_SIGNALS}
    try:
        yield
    except (NotCopied, OSError) as error:
        give_up(str(error))
    except tarfile.TarError as error:
        give_up(f"The backup is damaged: {error}.")
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: object) -> None:
    for stop_signal in _STOP_SIGNALS:
        signal.signal(stop_signal, signal.SIG_IGN)  # a second signal would stop the clean-up
    sys.exit(128 + number)


def _write_backup(file: Path, keys: Sequence[str]) -> None:
    config = settings()
    url = configured_url()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_abandoned(file.parent)
    with TemporaryDirectory(dir=file.parent, prefix=_DRAFT_PREFIX) as folder:
        copied, contents, draft = (Path(folder) / name for name in (_DATABASE, _CONTENTS, "backup.tar"))
        copy(url, copied)
        stored = select(Attachment.stored_name)
        names = read(lambda session: list(session.exec(stored)), f"sqlite:///{copied}" if kind_of(url) == "sqlite" else url)
        about = {"format": _FORMAT, "database": kind_of(url), "revision": revision_of(url)}
        draft.touch(_OWNER_ONLY_MODE)
        with draft.open("wb") as stream:
            with tarfile.open(fileobj=stream, mode="w", dereference=True) as tar:  # the secret may be a link
                tar.add(copied, _DATABASE)
                _add_if_present(tar, config.var / _SECRET, _SECRET)
                texts = [
                    file for file in _own_texts(config) if _add_if_present(tar, file, f"content/{_name_of_text(file, config)}")
                ]
                lost = sum(not _add_if_present(tar, directory(config.var) / name, f"attachments/{name}") for name in names)
                about |= {"made_at": datetime.now(UTC).isoformat(), "files": len(tar.getnames())}
                contents.write_text(json.dumps(about))
                tar.add(contents, _CONTENTS)  # last, so that a truncated backup has none
            stream.flush()
            os.fsync(stream.fileno())
        (_encrypted(draft, keys) if keys else draft).rename(file)
    of_texts = f", {len(texts)} texts and pictures" if texts else ""
    print_text(f"{file}: {file.stat().st_size / 1e6:.1f} MB, {len(names) - lost} attachments{of_texts}.")
    if lost:
        complain(
            f"{lost} attachments are in the database but not on the disk: they were erased during the backup, or lost before."
        )


def _encrypted(draft: Path, keys: Sequence[str]) -> Path:
    """Writes the encrypted copy beside the draft, which is removed with its folder."""
    target = draft.with_suffix(".age")
    target.touch(_OWNER_ONLY_MODE)
    command = ["age", *(part for key in keys for part in ("--recipient", key)), "--output", str(target), str(draft)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise NotCopied(f"The backup could not be encrypted: {process.stderr.strip() or 'age gives no reason'}")
    return target


def _own_texts(config: Settings) -> list[Path]:
    """Returns the files of SITE_CONTENT, or none if it is the checkout's: these are in the repository."""
    return [] if _is_of_checkout(config) else content_files(config.content_folder)


def _is_of_checkout(config: Settings) -> bool:
    return config.content_folder == ROOT / Settings.content


def _name_of_text(file: Path, config: Settings) -> str:
    return file.relative_to(config.content_folder).as_posix()


def _remove_abandoned(folder: Path) -> None:
    """Removes temporary folders left by a backup that was killed. Folders with other names or files are somebody else's."""
    for draft in folder.glob(f"{_DRAFT_PREFIX}*"):
        with suppress(OSError):  # such as a folder that only another user can read
            is_ours = _DRAFT.fullmatch(draft.name) and {path.name for path in draft.iterdir()} <= _DRAFT_FILES
            if is_ours and time.time() - draft.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
                shutil.rmtree(draft, ignore_errors=True)  # never follows a link


def _add_if_present(tar: tarfile.TarFile, file: Path, name: str) -> bool:
    try:
        tar.add(file, name)
    except FileNotFoundError:
        return False
    return True


def _restore_all(file: Path, *, replace: bool) -> None:
    config = settings()
    url = configured_url()
    try:
        tar = tarfile.open(file)  # noqa: SIM115  the block below closes it
    except tarfile.TarError:
        if _is_encrypted(file):
            raise NotCopied(f"{file} is encrypted: age --decrypt --identity KEY --output backup.tar {file}") from None
        raise NotCopied(f"{file} is no backup of this site.") from None
    now = datetime.now(UTC)
    config.var.mkdir(mode=0o700, parents=True, exist_ok=True)
    for abandoned in unfinished_restores(config.var):
        shutil.rmtree(abandoned, ignore_errors=True)
    with tar, TemporaryDirectory(dir=config.var, prefix=_RESTORE_PREFIX) as folder:
        contents = _contents(tar, file)
        _refuse_other_sites(contents, url)
        _refuse_incomplete(tar, contents, file)
        copied = Path(folder) / _DATABASE
        _extract(tar, _DATABASE, copied)
        fill = restore if contents["database"] == kind_of(url) else restore_into_postgresql
        outcome = fill(url, copied, replace=replace, now=now)
        upgrade(url)
        count = _restore_files(tar, config.var, now)
        texts = _restore_texts(tar, config, now)
    leads = read(count_entries)
    of_texts = f" and {texts} texts and pictures" if texts else ""
    print_text(f"{leads} leads and calls and {count} attachments{of_texts} are back. {outcome}".rstrip())


def _is_encrypted(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(len(_AGE_HEADER)) == _AGE_HEADER


def unfinished_restores(var: Path) -> list[Path]:
    """Returns the temporary folders of restores that were killed, each with a copy of a database."""
    return sorted(path for path in var.glob(f"{_RESTORE_PREFIX}*") if _RESTORE.fullmatch(path.name))


def copies_of_restores(config: Settings) -> list[Path]:
    """Returns what restores have moved aside, and what those left that were killed: all of it holds visitors' data."""
    folders = {config.var, config.content_folder}
    if kind_of(url := configured_url()) == "sqlite":
        folders.add(Path(make_url(url).database or "").parent)
    names = (path for folder in folders if folder.is_dir() for path in folder.iterdir() if _SET_ASIDE.search(path.name))
    return sorted({*unfinished_restores(config.var), *names})


def _restore_files(tar: tarfile.TarFile, var: Path, now: datetime) -> int:
    """Restores the secret and the attachments. Existing ones are renamed, like the database."""
    for name in (_SECRET, "attachments"):
        if (var / name).exists():
            (var / name).rename(var / f"{name}.before-{now:%Y%m%d-%H%M%S}")
    names = tar.getnames()
    if _SECRET in names:
        _extract(tar, _SECRET, var / _SECRET)
    names_of_files = [name for name in names if _ATTACHMENT_MEMBER.fullmatch(name)]
    for name in names_of_files:
        _extract(tar, name, directory(var) / Path(name).name)
    return len(names_of_files)


def _restore_texts(tar: tarfile.TarFile, config: Settings, now: datetime) -> int:
    """Restores the texts of SITE_CONTENT. Existing ones are renamed, like the database; without texts in the backup they stay."""
    names = [name for name in tar.getnames() if _TEXT_MEMBER.fullmatch(name)]
    if names and _is_of_checkout(config):
        complain(f"The {len(names)} texts and pictures in the backup were left out: SITE_CONTENT is the checkout's own.")
        return 0
    for folder in (config.content_folder / name for name in CONTENT_FOLDERS):
        if names and folder.exists():
            folder.rename(folder.with_name(f"{folder.name}.before-{now:%Y%m%d-%H%M%S}"))
    for name in names:
        _extract(tar, name, config.content_folder / name.removeprefix("content/"))
    return len(names)


def _contents(tar: tarfile.TarFile, file: Path) -> dict[str, Any]:
    try:
        member = tar.extractfile(_CONTENTS)
        return json.load(member) if member else {}
    except (KeyError, ValueError):
        raise NotCopied(f"{file} is no backup of this site, or its end is missing.") from None


def _refuse_other_sites(about: dict[str, Any], url: str) -> None:
    if about.get("format") != _FORMAT or not is_known(str(about.get("revision"))):
        raise NotCopied("The backup was made by a newer version of the site: restore it with that version.")
    kinds = about.get("database"), kind_of(url)
    if kinds[0] != kinds[1] and kinds != ("sqlite", "postgresql"):
        raise NotCopied(
            f"The backup is of a {kinds[0]} database, and SITE_DATABASE_URL names another kind: only SQLite can be moved, to PostgreSQL."
        )


def _refuse_incomplete(tar: tarfile.TarFile, about: dict[str, Any], file: Path) -> None:
    """Raises NotCopied before anything is replaced, if the rest could not be restored. Older backups do not count their files."""
    members = tar.getmembers()
    count = len(members) - 1  # without contents.json
    if about.get("files", count) != count:
        raise NotCopied(f"{file} is damaged: {count} files are in it instead of {about['files']}.")
    if not_files := [member.name for member in members if not member.isreg()]:
        raise NotCopied(f"{not_files[0]} in the backup is no file.")
    if _DATABASE not in tar.getnames():
        raise NotCopied(f"{file} is damaged: there is no database in it.")


def _extract(tar: tarfile.TarFile, name: str, to: Path) -> None:
    """Extracts one member. Path and permissions are ours, not those in the archive."""
    member = tar.extractfile(name)
    if member is None:
        raise NotCopied(f"{name} in the backup is no file.")
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with member, os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY_MODE), "wb") as stream:
        shutil.copyfileobj(member, stream)

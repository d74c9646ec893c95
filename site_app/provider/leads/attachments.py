"""Visitors' files: stored under generated names, then attached to the lead that lists their ids, or deleted after some hours."""

import hashlib
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from site_app.contracts.fields import MAX_FILE_BYTES
from site_app.contracts.input import one_line
from site_app.core.files import UNFINISHED
from site_app.provider.http.refusals import EntryNotFound, FieldRefused, FileRefused
from site_app.provider.leads.file_kinds import PICTURES, check_and_clean_file
from site_app.provider.store.tables import Attachment

Files = Sequence[Mapping[str, Any]]
MAX_NAME_LENGTH = 120
_NAMES_AT_ONCE = 500
ABANDONED = timedelta(minutes=10)  # an upload takes less; an older unfinished file was left by a crash


def directory(var: Path) -> Path:
    """Returns the folder of the files, and creates it if needed. Its files are never served to the public or executed."""
    folder = var / "attachments"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


class IncomingFile:
    """A file that is being uploaded. If the block ends without `keep`, the file is deleted from the disk."""

    def __init__(self, folder: Path, name: str, now: datetime) -> None:
        self._folder = folder
        self._now = now
        self._name = _safe_name(name)
        self._stored = secrets.token_hex(16)
        self._unfinished = folder / f"{self._stored}{UNFINISHED}"
        self._size = 0
        self._kept = False

    def __enter__(self) -> Self:
        self._file = self._unfinished.open("xb")
        self._unfinished.chmod(0o600)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._file.close()  # flushes the buffer, which fails on a full disk
        finally:
            if not self._kept:
                self._unfinished.unlink(missing_ok=True)
                (self._folder / self._stored).unlink(missing_ok=True)

    @property
    def is_picture(self) -> bool:
        """True if the file's name has the extension of a picture; `examine` checks the content."""
        return Path(self._name).suffix.lower().lstrip(".") in PICTURES

    def write(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self._size > MAX_FILE_BYTES:
            raise FileRefused("file_too_large", too_large=True)
        self._file.write(chunk)

    def examine(self) -> Attachment:
        """Returns the row of the finished file. Raises FileRefused if its kind is not accepted, or its content does not match its name."""
        self._file.flush()
        kind = check_and_clean_file(self._unfinished, self._name)
        with self._unfinished.open("rb") as content:  # opened again, because pictures have been rewritten
            os.fsync(content.fileno())
            size = os.fstat(content.fileno()).st_size
            digest = hashlib.file_digest(content, "sha256")
        self._unfinished.rename(self._folder / self._stored)
        return Attachment(
            id=secrets.token_urlsafe(16),
            stored_name=self._stored,
            original_name=self._name,
            kind=kind,
            size=size,
            sha256=digest.hexdigest(),
            created_at=self._now,
        )

    def keep(self) -> None:
        """Keeps the file on the disk; called after the row was committed."""
        self._kept = True


def claim_files(session: Session, ids: Sequence[str], reference: str) -> Files:
    """Attaches the files to the lead. Raises FieldRefused, which refuses the lead, unless all of them can be attached."""
    if not ids:
        return ()
    unclaimed = (col(Attachment.id).in_(ids), col(Attachment.claimed_by).is_(None))
    attached = session.connection().execute(update(Attachment).where(*unclaimed).values(claimed_by=reference))
    if attached.rowcount != len(ids):
        raise FieldRefused("attachments", "unknown_attachment")
    return attached_files(session, reference)


def attached_files(session: Session, reference: str) -> Files:
    """Returns name and size of a lead's files, in the order of their upload."""
    rows = session.exec(select(Attachment).where(Attachment.claimed_by == reference).order_by(col(Attachment.created_at)))
    return [{"name": row.original_name, "size": row.size} for row in rows]


def discard(session: Session, identity: str) -> str:
    """Deletes the row of a file that belongs to no lead, and returns the file's name on the disk."""
    unclaimed = (col(Attachment.id) == identity, col(Attachment.claimed_by).is_(None))
    removed = session.connection().execute(delete(Attachment).where(*unclaimed).returning(col(Attachment.stored_name))).scalar()
    if removed is None:
        raise EntryNotFound
    return removed


def discard_unclaimed(session: Session, older_than: datetime, *, limit: int) -> list[str]:
    """Deletes the rows of up to `limit` old files that belong to no lead, and returns the files' names on the disk."""
    old = (col(Attachment.claimed_by).is_(None), col(Attachment.created_at) < older_than)
    # The conditions are in both statements: a lead may claim one of the files between the two.
    batch = col(Attachment.id).in_(select(Attachment.id).where(*old).limit(limit))
    removed = session.connection().execute(delete(Attachment).where(batch, *old).returning(col(Attachment.stored_name)))
    return list(removed.scalars())


def remove_files(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        (folder / name).unlink(missing_ok=True)


def stray_files(session: Session, names: Sequence[str]) -> list[str]:
    """Returns the names that have no row: files left by a crash."""
    stored_names = set(session.exec(select(Attachment.stored_name).where(col(Attachment.stored_name).in_(names))))
    return [name for name in names if name not in stored_names]


def _safe_name(name: str) -> str:
    """Returns the name as the team sees it: shortened, without a path and without characters that hide its extension."""
    plain = one_line(name.replace("\\", "/").rpartition("/")[2]) or "file"
    stem, dot, ending = plain.rpartition(".")
    return (
        plain
        if len(plain) <= MAX_NAME_LENGTH
        else f"{stem[: MAX_NAME_LENGTH - len(ending) - 1]}{dot}{ending}"[:MAX_NAME_LENGTH]
    )


def names_in(folder: Path, before: datetime | None = None) -> Iterator[list[str]]:
    """Yields the names of the files in a folder in lists of at most 500: of all, or of those last modified before the time `before`."""
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        names = (entry.name for entry in entries if before is None or _written_before(entry, before))
        while part := list(islice(names, _NAMES_AT_ONCE)):
            yield part


def _written_before(entry: os.DirEntry[str], moment: datetime) -> bool:
    with suppress(FileNotFoundError):  # deleted meanwhile
        return entry.stat().st_mtime < moment.timestamp()
    return False

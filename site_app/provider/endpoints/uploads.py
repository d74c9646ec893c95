"""Uploads: how much disk files may take, pictures examined one at a time with the networks in turn, and the reader of
multipart forms.
"""

import asyncio
import re
import shutil
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from sqlmodel import Session, col, func, select
from starlette.requests import ClientDisconnect, Request

from site_app.contracts.problems import problem
from site_app.core.http.bodies import LARGEST_FILE_BODY
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t
from site_app.core.settings import Settings
from site_app.provider.endpoints.refusals import NoRoomForFiles
from site_app.provider.store.tables import Attachment

MEGABYTE = 1_000_000
_RETRY = timedelta(hours=1)  # by then old files may have gone, or somebody has made room


class UploadQuota:
    """Each process counts the bytes of a network's day in its own memory; the sum of all files is asked of the database."""

    def __init__(self, settings: Settings, clock: Callable[[], datetime]) -> None:
        self._of_a_network = settings.uploads_a_day_mb * MEGABYTE
        self._in_all = settings.uploads_in_all_mb * MEGABYTE
        self._reserve = settings.uploads_reserve_mb * MEGABYTE
        self._clock = clock
        self._day = date.min
        self._used: dict[str, int] = {}

    @contextmanager
    def reserved(self, network: str, size: int) -> Iterator[None]:
        """Count a file of this size in the network's day; not counted if the block raises."""
        now = self._clock().astimezone(UTC)
        if now.date() != self._day:
            self._day, self._used = now.date(), {}
        if self._used.get(network, 0) + size > self._of_a_network:
            tomorrow = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
            raise NoRoomForFiles(tomorrow - now, for_network=True)
        self._add(network, size)
        try:
            yield
        except BaseException:
            self._add(network, -size)
            raise

    def check_disk(self, directory: Path) -> None:
        """Refuse where so little of the disk is free that leads would soon have no room either."""
        if shutil.disk_usage(directory).free < self._reserve:
            raise NoRoomForFiles(_RETRY)

    def check_all(self, session: Session, size: int) -> None:
        """Refuse a file of this size where those that are kept leave no room for it."""
        stored_bytes = session.exec(
            select(func.coalesce(func.sum(col(Attachment.size)), 0))
        ).one()  # those that no lead has yet included
        if stored_bytes + size > self._in_all:
            raise NoRoomForFiles(_RETRY)

    def _add(self, network: str, size: int) -> None:
        self._used[network] = max(0, self._used.get(network, 0) + size)


T = TypeVar("T")


class PictureQueue:
    """However many pictures one network sends, another one's waits for two of them at most."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by network; the one whose turn is next comes first
        self._is_busy = False

    async def run(self, network: str, job: Callable[[], T], *, patience_seconds: float) -> T:
        """Run the job when it is the network's turn; raises TimeoutError if that does not come in time.

        A job that has begun is never cut short: whoever sends costly pictures would have their work for nothing, again and again.
        """
        await self._turn(network, patience_seconds)
        work = asyncio.get_running_loop().run_in_executor(self._thread, job)
        work.add_done_callback(self._end)
        return await asyncio.shield(work)

    def close(self) -> None:
        """Let the picture that is being examined come to its end, and cancel those that wait."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        for turns in self._waiting.values():
            for turn in turns:
                turn.cancel()

    async def _turn(self, network: str, patience_seconds: float) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        try:
            async with asyncio.timeout(patience_seconds):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():  # it came in the same moment
                self._pass_on()
            raise

    def _end(self, work: asyncio.Future[Any]) -> None:
        if not work.cancelled():
            work.exception()  # looked at, also where the caller has gone
        self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            network = next(iter(self._waiting))
            turns = self._waiting.pop(network)
            while turns and turns[0].done():  # who waited has gone
                turns.popleft()
            if not turns:
                continue
            turn = turns.popleft()
            if turns:
                self._waiting[network] = turns  # behind all others
            turn.set_result(None)
            return
        self._is_busy = False


_LONGEST_HEADERS = 4 * 1024  # of the file, and all that may come before them
_LONGEST_TYPE = 300  # characters; a boundary has 70 at most, and reading many parameters takes long
_EXTENDED_NAME = re.compile(rb";\s*filename\*\s*=\s*\"?(utf-8|iso-8859-1)'[^']*'([^;\"\s]+)", re.IGNORECASE)


class Upload:
    """The file's name once its headers are in, then its bytes."""

    def __init__(self, request: Request) -> None:
        kind, options = parse_options_header(request.headers.get("Content-Type", "")[:_LONGEST_TYPE])
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise CallRefused(415, "not_multipart", t("Send the file as multipart/form-data"))
        self._stream = request.stream()
        try:
            self._parser = MultipartParser(
                options[b"boundary"],
                {
                    "on_part_begin": self._begin_part,
                    "on_header_begin": self._begin_header,
                    "on_header_field": self._read_header_name,
                    "on_header_value": self._read_header_value,
                    "on_headers_finished": self._end_headers,
                    "on_part_data": self._gather,
                    "on_end": self._end,
                },
            )
        except FormParserError:  # a boundary longer than any may be
            raise _malformed() from None
        self._headers: list[list[bytes]] = []
        self._header_size = self._size = 0
        self._gathered: list[bytes] = []
        self._files = 0
        self._ended = False
        self.name = ""

    async def start(self) -> None:
        """Read up to the file's first byte."""
        while not self.name:
            if self._size > _LONGEST_HEADERS or not await self._feed():
                raise _malformed()

    async def chunks(self) -> AsyncIterator[bytes]:
        has_more = True
        while has_more:
            if self._gathered:
                yield b"".join(self._gathered)
                self._gathered.clear()
            has_more = await self._feed()
        if self._gathered:
            yield b"".join(self._gathered)
        if not self._ended:
            raise _malformed()

    async def drain(self, seconds: float) -> None:
        """Read and drop the rest for so long: a client that is cut off while it sends does not read the answer."""
        with suppress(ClientDisconnect, TimeoutError):
            async with asyncio.timeout(seconds):
                async for _ in self._stream:
                    await asyncio.sleep(0)  # else a fast sender would keep all others waiting, and the time-out too

    async def _feed(self) -> bool:
        try:
            chunk = await anext(self._stream, b"")
            self._size += len(chunk)
            if self._size > LARGEST_FILE_BODY:  # what comes after the file is dropped, but not for ever
                raise CallRefused(413, "too_large", problem("file_too_large", "file"))
            self._parser.write(chunk)
        except ClientDisconnect:
            raise CallRefused(400, "cut_off", t("The connection was interrupted. Please send it again.")) from None
        except FormParserError:
            raise _malformed() from None
        return bool(chunk)

    def _begin_part(self) -> None:
        self._headers = []

    def _begin_header(self) -> None:
        self._header_size += 1
        self._headers.append([b"", b""])

    def _read_header_name(self, data: bytes, start: int, end: int) -> None:
        self._grow(0, data[start:end])

    def _read_header_value(self, data: bytes, start: int, end: int) -> None:
        self._grow(1, data[start:end])

    def _grow(self, part: int, piece: bytes) -> None:
        self._headers[-1][part] += piece
        self._header_size += len(piece)
        if self._header_size > _LONGEST_HEADERS:
            raise _malformed()

    def _end_headers(self) -> None:
        header = {name.lower(): value for name, value in self._headers}.get(b"content-disposition", b"")
        name = _file_name(header)
        self._files += 1
        if self._files > 1 or not name:
            raise CallRefused(422, "one_file", t("Send exactly one file"))
        self.name = name

    def _gather(self, data: bytes, start: int, end: int) -> None:
        self._gathered.append(data[start:end])

    def _end(self) -> None:
        self._ended = True


def _file_name(header: bytes) -> str:
    """The name a part's Content-Disposition gives its file; empty where it gives none that can be read.

    RFC 7578 forbids `filename*` in a form, and older programs send it all the same: of its character sets the two that RFC 5987 names
    are read. Any other name would have Python run the codec of that name over the visitor's bytes.
    """
    _, options = parse_options_header(header)
    if plain := options.get(b"filename"):
        return plain.decode("utf-8", "replace")
    if extended := _EXTENDED_NAME.search(header):
        charset, encoded = extended.groups()
        return unquote_to_bytes(encoded).decode(charset.decode(), "replace")
    return ""


def _malformed() -> CallRefused:
    return CallRefused(400, "not_multipart", t("The multipart form is incomplete. Please send it again."))

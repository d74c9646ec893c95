"""Uploads: quotas for visitors' files, a queue that examines one picture at a time, and a streaming parser of multipart forms.

Files do not go through `rx.upload`, which checks limits only in the browser; here the bytes are counted as they arrive.
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
from site_app.core.http.bodies import MAX_FILE_BODY_BYTES
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t
from site_app.core.settings import Settings
from site_app.provider.http.refusals import NoRoomForFiles
from site_app.provider.store.tables import Attachment

MEGABYTE = 1_000_000
_RETRY = timedelta(hours=1)  # by then old files may be deleted, or somebody has made room


class UploadQuota:
    """Limits uploads per network and day, counted in the memory of each process, and in total, summed from the database."""

    def __init__(self, settings: Settings, clock: Callable[[], datetime]) -> None:
        self._network_quota = settings.uploads_a_day_mb * MEGABYTE
        self._total_quota = settings.uploads_in_all_mb * MEGABYTE
        self._reserve = settings.uploads_reserve_mb * MEGABYTE
        self._clock = clock
        self._day = date.min
        self._used: dict[str, int] = {}

    @contextmanager
    def reserved(self, network: str, size: int) -> Iterator[None]:
        """Counts a file of this size for the network's day. If the block raises, the file is not counted."""
        now = self._clock().astimezone(UTC)
        if now.date() != self._day:
            self._day = now.date()
            self._used = {}
        if self._used.get(network, 0) + size > self._network_quota:
            tomorrow = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
            raise NoRoomForFiles(tomorrow - now, for_network=True)
        self._add(network, size)
        try:
            yield
        except BaseException:
            self._add(network, -size)
            raise

    def check_disk(self, directory: Path) -> None:
        """Raises NoRoomForFiles if less disk space is free than the reserve for leads."""
        if shutil.disk_usage(directory).free < self._reserve:
            raise NoRoomForFiles(_RETRY)

    def check_all(self, session: Session, size: int) -> None:
        """Raises NoRoomForFiles if a file of this size does not fit into the total quota."""
        # Includes files that belong to no lead yet.
        stored_bytes = session.exec(select(func.coalesce(func.sum(col(Attachment.size)), 0))).one()
        if stored_bytes + size > self._total_quota:
            raise NoRoomForFiles(_RETRY)

    def _add(self, network: str, size: int) -> None:
        self._used[network] = max(0, self._used.get(network, 0) + size)


T = TypeVar("T")


class PictureQueue:
    """Runs one job at a time, taking turns between networks: a network's first picture waits for at most two pictures of another network."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by network, in the order of their turns
        self._is_busy = False

    async def run(self, network: str, job: Callable[[], T], *, patience_seconds: float) -> T:
        """Runs the job when it is the network's turn. Raises TimeoutError if the turn does not come within `patience_seconds`.

        A running job is never cancelled: otherwise its work would be lost and repeated at each retry of a costly picture.
        """
        await self._turn(network, patience_seconds)
        work = asyncio.get_running_loop().run_in_executor(self._thread, job)
        work.add_done_callback(self._end)
        return await asyncio.shield(work)

    def close(self) -> None:
        """Cancels waiting jobs. The running job ends by itself."""
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
            if turn.done() and not turn.cancelled():  # the turn came at the same moment as the timeout
                self._pass_on()
            raise

    def _end(self, work: asyncio.Future[Any]) -> None:
        if not work.cancelled():
            work.exception()  # retrieved even if the caller has gone, so that asyncio does not warn
        self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            network = next(iter(self._waiting))
            turns = self._waiting.pop(network)
            while turns and turns[0].done():  # the waiting request has gone
                turns.popleft()
            if not turns:
                continue
            turn = turns.popleft()
            if turns:
                self._waiting[network] = turns  # at the end, behind all other networks
            turn.set_result(None)
            return
        self._is_busy = False


_MAX_HEADER_BYTES = 4 * 1024  # of the part's headers and everything before them
_MAX_TYPE_LENGTH = 300  # characters; a boundary has 70 at most, and parsing many parameters takes long
_EXTENDED_NAME = re.compile(rb";\s*filename\*\s*=\s*\"?(utf-8|iso-8859-1)'[^']*'([^;\"\s]+)", re.IGNORECASE)


class Upload:
    """Reads a multipart form with one file: `start` reads up to the file's name, `chunks` yields its bytes."""

    def __init__(self, request: Request) -> None:
        kind, options = parse_options_header(request.headers.get("Content-Type", "")[:_MAX_TYPE_LENGTH])
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
        except FormParserError:  # the boundary is too long
            raise _malformed() from None
        self._headers: list[list[bytes]] = []
        self._header_size = self._size = 0
        self._gathered: list[bytes] = []
        self._files = 0
        self._ended = False
        self.name = ""

    async def start(self) -> None:
        """Reads up to the file's first byte."""
        while not self.name:
            if self._size > _MAX_HEADER_BYTES or not await self._feed():
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
        """Reads and drops the rest for up to `seconds`, because a client that is cut off while sending does not read the answer."""
        with suppress(ClientDisconnect, TimeoutError):
            async with asyncio.timeout(seconds):
                async for _ in self._stream:
                    await asyncio.sleep(0)  # otherwise a fast sender would block other tasks and the timeout

    async def _feed(self) -> bool:
        try:
            chunk = await anext(self._stream, b"")
            self._size += len(chunk)
            if self._size > MAX_FILE_BODY_BYTES:  # data after the file is dropped, up to this limit
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
        if self._header_size > _MAX_HEADER_BYTES:
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
    """Returns the file name in a part's Content-Disposition, or "" if there is no readable one.

    RFC 7578 forbids `filename*` in forms, but older programs send it. Only the two character sets of RFC 5987 are accepted: any other
    name would make Python run the codec of that name on the visitor's bytes.
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

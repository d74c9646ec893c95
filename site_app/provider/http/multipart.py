"""A streaming parser of multipart forms with one file.

Files do not go through `rx.upload`, which checks limits only in the browser; here the bytes are counted as they arrive.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from site_app.contracts.problems import problem
from site_app.core.http.bodies import MAX_FILE_BODY_BYTES, cut_off
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t

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
            raise cut_off() from None
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

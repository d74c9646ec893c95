"""Reads the one file of a multipart form as it comes in, without keeping it in memory."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from site_app.contracts.problems import problem
from site_app.core.http.bodies import LARGEST_FILE_BODY
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import t

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
        more = True
        while more:
            if self._gathered:
                yield b"".join(self._gathered)
                self._gathered.clear()
            more = await self._feed()
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

    def _grow(self, which: int, piece: bytes) -> None:
        self._headers[-1][which] += piece
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

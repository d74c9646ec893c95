"""Files as responses: most are held in memory, compressed by brotli and by gzip, and plain where compression would not help."""

import asyncio
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from starlette.types import Receive, Scope, Send

from site_app.plugins.static_first import ASSETS, MANIFESTS
from site_app.serving.headers import ASSET_HEADERS, CROSS_ORIGIN, RESOURCE_POLICY, Header, plain_response

_ENCODINGS = ((b"br", ".br"), (b"gzip", ".gz"))
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
    ".atom": "application/atom+xml",
    ".avif": "image/avif",
    ".webp": "image/webp",
}
_TEXT_TYPES = (
    "text/",
    "application/manifest+json",
    "application/xml",
    "application/atom+xml",
    "image/svg+xml",
    "application/json",
)
_PICTURE_ENDINGS = frozenset((".svg", ".png", ".webp", ".avif", ".ico"))
_ASSET_ENDINGS = _PICTURE_ENDINGS | {".js", ".css", ".woff2"}
_LISTING_ENDINGS = frozenset((".atom", ".json", ".xml", ".txt"))  # feeds, sitemap, robots.txt and llms.txt
IMMUTABLE = b"public, max-age=31536000, immutable"
A_DAY = b"public, max-age=86400"
REVALIDATE = b"no-cache"
# Pictures that social networks show beside a link: 3.8 MB together, and rarely requested.
_FOLDER_ON_DISK = "cards"
FOLDER_CACHING = {ASSETS: IMMUTABLE, MANIFESTS: REVALIDATE}
COPY_OF_HOME = "/404.html"  # which Reflex writes for static hosts: a home page without its policy, and soon an old one
_GZIP_LEVEL = 4  # compresses a page in about a millisecond
# A browser refuses an encoding by the weight 0.
_WEIGHT_ZERO = re.compile(rb";\s*q\s*=\s*0(\.0*)?\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class StoredResponse:
    """A response with its headers, ready to send.

    A plain text is stored as the bytes of its gzip copy and unpacked for the few clients that accept no compression: it would take as
    much memory as all compressed copies together.
    """

    headers: tuple[Header, ...]
    stored: bytes
    etag: bytes
    is_packed: bool = False

    @property
    def body(self) -> bytes:
        return gzip.decompress(self.stored) if self.is_packed else self.stored


@dataclass(frozen=True)
class StoredFile:
    """A file in each of its encodings."""

    is_page: bool
    plain: StoredResponse
    encoded: tuple[tuple[bytes, StoredResponse], ...]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_headers = dict(scope["headers"])
        await _send(
            self._encoded_response(request_headers.get(b"accept-encoding", b"")), request_headers, scope["method"], send
        )

    def changed(self, change: Callable[[bytes], bytes], mark: str) -> "StoredFile":
        """Returns this page with a changed body for one response, compressed by gzip; `mark` makes its ETag differ from the stored page's."""
        body = change(self.plain.body)
        plain = _stored_response(body, _without_length(self.plain.headers), f'"{self._digest}-{mark}"')
        if not self.encoded:
            return StoredFile(self.is_page, plain, ())
        headers = (*_without_length(self.plain.headers), (b"content-encoding", b"gzip"))
        packed = _stored_response(gzip.compress(body, _GZIP_LEVEL, mtime=0), headers, f'"{self._digest}-{mark}-gzip"')
        return StoredFile(self.is_page, plain, ((b"gzip", packed),))

    @property
    def _digest(self) -> str:
        return self.plain.etag.decode().strip('"')

    def _encoded_response(self, accepted: bytes) -> StoredResponse:
        names = {part.partition(b";")[0].strip() for part in accepted.split(b",") if not _WEIGHT_ZERO.search(part)}
        return next((response for name, response in self.encoded if name in names), self.plain)


@dataclass(frozen=True)
class FileOnDisk:
    """A file that is read for each request, with the headers that it would have in memory; 404 if it has been removed."""

    file: Path
    headers: tuple[Header, ...]
    is_page: ClassVar[bool] = False

    @property
    def plain(self) -> StoredResponse:
        return self._read().plain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            stored = await asyncio.to_thread(self._read)
        except FileNotFoundError:  # a build is replacing the folder
            headers = {name.decode(): value.decode() for name, value in self.headers}
            await plain_response(404, "Not found\n", **headers)(scope, receive, send)
        else:
            await stored(scope, receive, send)

    def _read(self) -> StoredFile:
        return _stored(self.file, self.headers, A_DAY)


ServedFile = StoredFile | FileOnDisk


def load_files(
    static: Path,
    headers: tuple[Header, ...],
    policy: Callable[[str], Header],
    cached: Mapping[str, ServedFile] | None = None,
) -> Mapping[str, ServedFile]:
    """Returns every built file by its path; a page by its path without index.html, with a policy computed from its text.

    A file whose content is the same as in `cached` is taken from there, so that it is in memory only once.
    """
    stored = dict[str, ServedFile]()
    for file in sorted(static.rglob("*")):
        if not file.is_file() or file.suffix in (".br", ".gz"):
            continue
        is_page = file.name == "index.html"
        path = "/" + file.relative_to(static).as_posix()
        if path == COPY_OF_HOME:
            continue
        if is_page:
            path = path.removesuffix("/index.html") or "/"
        folder = path.split("/")[1]
        file_headers = _file_headers(file, headers)
        earlier = (cached or {}).get(path)
        if folder == _FOLDER_ON_DISK:
            stored[path] = FileOnDisk(file, file_headers)
        elif isinstance(earlier, StoredFile) and _is_same(earlier, file):
            stored[path] = earlier
        elif is_page:
            page_headers = (*headers, policy(file.read_text()))
            stored[path] = _stored(file, page_headers, REVALIDATE, vary=b"accept-encoding, cookie")
        else:
            stored[path] = _stored(file, file_headers, FOLDER_CACHING.get(folder) or _caching_by_ending(file))
    return stored


def _file_headers(file: Path, headers: tuple[Header, ...]) -> tuple[Header, ...]:
    """Returns the headers of a file that is no page. Other sites may show pictures: those of feeds, sharing cards, and of search results."""
    if file.suffix not in _ASSET_ENDINGS:
        return headers
    asset_headers = tuple(header for header in headers if header[0] in ASSET_HEADERS)
    if file.suffix in _PICTURE_ENDINGS:
        return *(header for header in asset_headers if header[0] != RESOURCE_POLICY), CROSS_ORIGIN
    return asset_headers


def _caching_by_ending(file: Path) -> bytes:
    """Returns how long a file may be cached: feed readers and search engines must see at once what was published or withdrawn."""
    return REVALIDATE if file.suffix in _LISTING_ENDINGS else A_DAY


def _is_same(stored: StoredFile, file: Path) -> bool:
    return stored.plain.body == file.read_bytes() and len(stored.encoded) == len(_copies(file))


def _stored(file: Path, headers: tuple[Header, ...], cache: bytes, vary: bytes = b"accept-encoding") -> StoredFile:
    kind = _MEDIA_TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if kind.startswith(_TEXT_TYPES):
        kind += "; charset=utf-8" if kind.startswith("text/") else ""
    content = file.read_bytes()
    digest = hashlib.sha256(content).hexdigest()[:12]
    present = _copies(file)
    base = (*headers, (b"content-type", kind.encode()), (b"cache-control", cache))
    if present:
        base = (*base, (b"vary", vary))
    encoded = tuple(
        (name, _stored_response(copy.read_bytes(), (*base, (b"content-encoding", name)), f'"{digest}-{name.decode()}"'))
        for name, copy in present
    )
    plain = _stored_response(content, base, f'"{digest}"')
    if packed := dict(encoded).get(b"gzip"):
        plain = replace(plain, stored=packed.stored, is_packed=True)
    return StoredFile(file.name == "index.html", plain, encoded)


def _without_length(headers: tuple[Header, ...]) -> tuple[Header, ...]:
    return tuple(header for header in headers if header[0] not in (b"etag", b"content-length"))


def _copies(file: Path) -> list[tuple[bytes, Path]]:
    """Returns the compressed copies beside a file, each with the name of its encoding."""
    copies = [(name, file.with_name(file.name + suffix)) for name, suffix in _ENCODINGS]
    return [(name, copy) for name, copy in copies if copy.exists()]


def _stored_response(body: bytes, headers: tuple[Header, ...], etag: str) -> StoredResponse:
    length = (b"content-length", str(len(body)).encode())
    return StoredResponse((*headers, (b"etag", etag.encode()), length), body, etag.encode())


async def _send(response: StoredResponse, request_headers: Mapping[bytes, bytes], method: str, send: Send) -> None:
    etag = request_headers.get(b"if-none-match")
    if etag and (etag == b"*" or response.etag in etag.replace(b"W/", b"")):
        headers = [header for header in response.headers if header[0] not in (b"content-length", b"content-encoding")]
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": response.headers})
    await send({"type": "http.response.body", "body": b"" if method == "HEAD" else response.body})

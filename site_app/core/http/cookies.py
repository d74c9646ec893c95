"""Reads single cookies of a request in linear time.

Not http.cookies, nor request.cookies, which uses it: before Python 3.11.10 and 3.12.6 the time for one quoted value grows with the
square of its length (CVE-2024-7592).
"""

from collections.abc import Iterable

LONGEST_COOKIES = 16 * 1024  # bytes of all cookies of a request; browsers keep some 4 KB for each


def cookie_value(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes:
    """Return the value of the last cookie of this name, without quotes; b"" if there is none, or if there are too many bytes of cookies."""
    value, size = b"", 0
    for _, line in (header for header in headers if header[0] == b"cookie"):
        size += len(line)
        if size > LONGEST_COOKIES:
            return b""
        for pair in line.split(b";"):
            key, _, text = pair.partition(b"=")
            if key.strip() == name:
                value = _unquoted(text.strip())
    return value


def _unquoted(text: bytes) -> bytes:
    is_quoted = len(text) > 1 and text.startswith(b'"') and text.endswith(b'"')
    return text[1:-1] if is_quoted else text

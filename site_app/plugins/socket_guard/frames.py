"""Checks the frames of a socket: only the Socket.IO packets that Reflex's own browser code sends may pass."""

import json
import math
from itertools import chain
from typing import Any

from site_app.plugins.socket_guard.events import EventRefused, EventTable, PayloadRefused

MAX_FRAME_BYTES = 64 * 1024
MAX_DEPTH = 12
MAX_ROUTER_DATA_BYTES = (
    12 * 1024
)  # path and query twice, and the fragment; a state needs up to four times as much memory for them
_POINTER_BYTES = 8  # of each item of a list, so that empty texts count, too
_PONG, _CONNECT, _DISCONNECT, _EVENT = "3", "40/_event,", "41/_event,", "42/_event,"
_PATHS = frozenset({"pathname", "asPath"})
_REPORT_KEYS = frozenset({"message", "error_type", "substate"})
_MAX_INTEGER_DIGITS = 16  # like JavaScript's largest safe integer


class FrameRefused(Exception):
    """No page sends this frame. The message is a constant word or two and never repeats the frame."""


class Frames:
    """Checks the frames of one connection in order: it must connect first, and only once."""

    __slots__ = ("_connected", "_events")

    def __init__(self, events: EventTable) -> None:
        self._events = events
        self._connected = False

    @property
    def is_connected(self) -> bool:
        """True once the browser's code can read what is sent to it."""
        return self._connected

    def check(self, text: str | None) -> None:
        """Raises FrameRefused if the frame may not come now, and PayloadRefused if the payload of a page's event is wrong."""
        if text is None:
            raise FrameRefused("binary")
        if len(text) > MAX_FRAME_BYTES or (not text.isascii() and len(text.encode("utf-8", "replace")) > MAX_FRAME_BYTES):
            raise FrameRefused("size")
        if text.startswith(_EVENT):
            if not self._connected:
                raise FrameRefused("not connected")
            self._message(_parsed(text[len(_EVENT) :]))
        elif text.startswith(_CONNECT):
            self._connect(text[len(_CONNECT) :])
        elif text not in (_PONG, _DISCONNECT):
            raise FrameRefused("packet")

    def _connect(self, text: str) -> None:
        if self._connected:
            raise FrameRefused("second connect")
        self._connected = True
        if not text:
            return
        match _parsed(text):
            case dict(auth) if auth.keys() <= {"event", "state_schema"} and isinstance(
                auth.get("state_schema", ""), str | None
            ):
                if auth.get("event") is not None:
                    try:
                        self._event(auth["event"])
                    except PayloadRefused:  # no page connects with a wrong first event
                        raise FrameRefused("connect") from None
            case _:
                raise FrameRefused("connect")

    def _message(self, packet: Any) -> None:
        match packet:
            case ["event", event]:
                self._event(event)
            case ["ping"]:
                pass
            case ["client_error", dict(report)] if report.keys() <= _REPORT_KEYS:
                if not all(isinstance(value, str) for value in report.values()):
                    raise FrameRefused("report")
            case _:
                raise FrameRefused("message")

    def _event(self, event: Any) -> None:
        if not isinstance(event, dict) or not isinstance(name := event.get("name"), str):
            raise FrameRefused("event")
        _check_router_data(event.get("router_data", {}))
        try:
            self._events.check(name, event.get("payload", {}))
        except PayloadRefused:
            raise
        except EventRefused as refused:
            raise FrameRefused(str(refused)) from None


def _check_router_data(data: Any) -> None:
    """Allows only the page's path and query, because Reflex would trust any other key, such as the visitor's network address.

    Reflex appends the path to the origin, so a path that does not begin with a slash would change the host.
    """
    if not isinstance(data, dict) or not data.keys() <= _PATHS | {"query"}:
        raise FrameRefused("router data")
    paths = [data[name] for name in _PATHS & data.keys()]
    query = data.get("query", {})
    if not all(isinstance(path, str) and path.startswith("/") for path in paths) or not isinstance(query, dict):
        raise FrameRefused("router data")
    # The path that no page has, or that a page with a catch-all route takes, comes in parts: {"splat": ["th", "nowhere"]}.
    lists = [value for value in query.values() if isinstance(value, list)]
    values = [*(value for value in query.values() if not isinstance(value, list)), *chain.from_iterable(lists)]
    if not all(isinstance(value, str) for value in values):
        raise FrameRefused("router data")
    if sum(map(_memory, (*paths, *query, *values))) + _POINTER_BYTES * sum(map(len, lists)) > MAX_ROUTER_DATA_BYTES:
        raise FrameRefused("router data")


def _memory(text: str) -> int:
    """Returns the most bytes the text can take in memory: one character beyond ASCII makes CPython store up to 4 bytes for each."""
    return len(text) if text.isascii() else 4 * len(text)


def _parsed(text: str) -> Any:
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        raise FrameRefused("json") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _deeper_than(value, MAX_DEPTH):
        raise FrameRefused("depth")
    if "\\u" in text and not _is_text(value):
        raise FrameRefused("half a character")
    return value


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return any(isinstance(item, dict | list) for item in level)


def _is_text(value: Any) -> bool:
    """Returns False if the value cannot be encoded as UTF-8: a lone surrogate would fail only later, when it is stored."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuses an object with a duplicate key, because two parsers may read different values."""
    if len(members := dict(pairs)) != len(pairs):
        raise FrameRefused("key twice")
    return members


def _refuse_constant(_name: str) -> Any:
    raise FrameRefused("not a number")


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise FrameRefused("not a number")
    return number


def _short_integer(text: str) -> int:
    if len(text) > _MAX_INTEGER_DIGITS:
        raise FrameRefused("number too long")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_refuse_duplicate_keys, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_short_integer
)

"""The log: one line per event, as JSON or readable, never with a visitor's text."""

import logging
import logging.config
import re
import secrets
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.processors import TimeStamper
from structlog.stdlib import ProcessorFormatter
from structlog.types import EventDict

from site_app.core import ROOT
from site_app.core.settings import Settings

# The keys that a line may have. Any other could contain what somebody typed, and is removed.
ALLOWED_KEYS = {
    *("event", "level", "timestamp", "logger", "request_id", "at", "error", "trace", "withheld"),
    *("kind", "template", "reference", "attempts", "seconds", "status", "method", "route", "problem"),
    *("count", "number", "size", "table", "host", "port", "workers"),
    "call",  # the name of one of our API calls, never its path
}
_EVENT = re.compile(r"[a-z0-9_. -]{1,80}")
_ID = re.compile(r"[0-9a-f-]{16,36}")
_STRUCTLOG_KEYS = {"_record", "_from_structlog", "exc_info", "stack_info"}
_MAX_VALUE_LENGTH = 200
# Their lines name ports and migrations and are logged in full. Granian's access log, which repeats query strings, is off.
_LOGGED_IN_FULL = ("_granian", "granian", "alembic")
_QUIET = ("httpx", "httpcore", "asyncio", "mail.log", "granian.access")

log = structlog.get_logger()


def configure(settings: Settings, out: TextIO | None = None) -> None:
    """Formats our own and every library's log lines the same way; must be called once, at the start of a process."""
    shown_in_full = not settings.production
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and settings.production)
    renderers = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()] if as_json else [_console()]
    processors = [merge_contextvars, structlog.stdlib.add_log_level, allowed_keys_only, TimeStamper(fmt="iso", utc=True)]
    if not shown_in_full:
        processors.insert(0, without_messages)
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=[in_full if shown_in_full else templates_only, *processors],
            processors=[ProcessorFormatter.remove_processors_meta, *renderers],
            pass_foreign_args=True,
            use_get_message=False,
        )
    )
    logging.captureWarnings(True)
    for name in list(logging.root.manager.loggerDict):
        # granian and Reflex install their own handlers, which would bypass this format
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*processors, ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def allowed_keys_only(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Keeps the allowed keys, truncates their values, and lists the removed keys."""
    allowed = {
        key: value if key in _STRUCTLOG_KEYS else _harmless(value)
        for key, value in line.items()
        if key in ALLOWED_KEYS or key in _STRUCTLOG_KEYS
    }
    unknown = sorted(key for key in line if key not in allowed)
    if not _from_library(line) and not _EVENT.fullmatch(str(line.get("event", ""))):
        allowed["event"] = "unnamed"  # an event must be a constant of the code; this one does not look like one
        unknown.append("event")
    if unknown:
        allowed["withheld"] = unknown
    return allowed


def without_messages(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Replaces an exception with its type and traceback, because its message may repeat what was typed."""
    error = _exception(line.pop("exc_info", None))
    if error is not None:
        line["error"] = type(error).__name__
        line["trace"] = [
            f"{_relative(frame.filename)}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)[-4:]
        ]
    line.pop("stack_info", None)
    return line


def templates_only(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Keeps the constant text and source location of a library's line, without its arguments."""
    record: logging.LogRecord = line["_record"]
    line["at"] = f"{_relative(record.pathname)}:{record.lineno}"
    if not record.name.startswith(_LOGGED_IN_FULL):
        template = line["event"] if line.get("positional_args") else "library message"
        line["event"] = template
        line["positional_args"] = ()
    in_full(_logger, _method, line)
    line["event"] = str(line["event"]).partition("\n")[0]  # granian appends a traceback with the exception's message
    return line


def in_full(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Keeps a library's line complete, for a developer's own machine."""
    arguments = line.pop("positional_args", ())
    line["event"] = line["event"] % arguments if arguments else line["event"]
    line["logger"] = line["_record"].name
    return line


class RequestId:
    """ASGI middleware around the whole site: gives every request an id in its log lines and response, and logs failures with their place."""

    def __init__(self, app: Any, make_id: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        self.app = app
        self._make_id = make_id

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request_id = self._id(scope)

        async def numbered(message: Any) -> None:
            if message["type"] == "http.response.start" and not _is_shared(message):
                message = message | {"headers": [*message.get("headers", ()), (b"x-request-id", request_id.encode())]}
            await send(message)

        with bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, numbered if scope["type"] == "http" else send)
            except Exception as error:
                log.error("request.failed", exc_info=error)
                raise

    def _id(self, scope: Any) -> str:
        header = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
        # A proxy in front may have set an id; any other value is replaced, so that visitors cannot write into the log.
        return header if _ID.fullmatch(header) else self._make_id()


def _is_shared(start: Mapping[str, Any]) -> bool:
    """Returns True for a response that caches give to others too, for whom the id of this request would be wrong."""
    return any(name == b"cache-control" and value.startswith(b"public") for name, value in start.get("headers", ()))


def _console() -> structlog.dev.ConsoleRenderer:
    """Renders readable lines; a traceback is Python's own, since the one of rich repeats the variables of every frame."""
    return structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)


def _from_library(line: EventDict) -> bool:
    return line.get("_from_structlog") is False


def _harmless(value: object) -> object:
    if isinstance(value, str):
        return " ".join(value.split())[:_MAX_VALUE_LENGTH]
    if isinstance(value, list):
        return [_harmless(item) for item in value]
    return value if value is None or isinstance(value, int | float) else type(value).__name__


def _exception(error: Any) -> BaseException | None:
    if isinstance(error, BaseException):
        return error
    return error[1] if isinstance(error, tuple) else sys.exc_info()[1] if error else None


def _relative(file: str) -> str:
    path = Path(file)
    if path.is_relative_to(ROOT) and ".venv" not in path.parts:
        return str(path.relative_to(ROOT))
    return "/".join(path.parts[-2:])

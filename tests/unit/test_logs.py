"""The log records events and never a visitor's words."""

import ast
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import structlog

from site_app.core import ROOT
from site_app.core.logs import ALLOWED_KEYS, RequestId, configure
from site_app.core.settings import Settings
from site_app.serving.failures import log_handler_error
from tests.support.logs import CANARY, collected_log, lines

pytestmark = pytest.mark.anyio


def raise_canary() -> None:
    raise ValueError(CANARY)


def failure() -> ValueError:
    try:
        raise_canary()
    except ValueError as error:
        return error
    raise AssertionError


def test_a_line_is_json_with_the_event_and_the_known_keys() -> None:
    with collected_log() as out:
        structlog.get_logger().info("outbox.sent", reference="Q-1", attempts=2)

    (line,) = lines(out)
    assert {name: line[name] for name in ("event", "level", "reference", "attempts")} == {
        "event": "outbox.sent",
        "level": "info",
        "reference": "Q-1",
        "attempts": 2,
    }


async def test_a_response_that_caches_share_carries_no_id() -> None:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"public, max-age=86400")]})

    async def send(message: Any) -> None:
        sent.append(message)

    await RequestId(app)({"type": "http", "headers": []}, None, send)

    assert [name for name, _ in sent[0]["headers"]] == [b"cache-control"]


@pytest.mark.parametrize(
    ("event", "keys", "expected"),
    [
        ("lead.taken", {"email": CANARY}, {"withheld": ["email"]}),
        ("lead.taken", {"reference": {"email": CANARY}}, {"reference": "dict"}),
        (f"lead of {CANARY}", {}, {"event": "unnamed"}),
    ],
)
def test_an_unknown_key_object_or_event_is_named_without_its_content(
    event: str, keys: dict[str, Any], expected: dict[str, Any]
) -> None:
    with collected_log() as out:
        structlog.get_logger().info(event, **keys)

    assert CANARY not in out.getvalue()
    assert expected.items() <= lines(out)[0].items()


def log_calls(source: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
                yield node


def test_every_log_call_of_the_site_passes_only_allowed_keys() -> None:
    withheld = [
        f"{path.relative_to(ROOT)}:{call.lineno} {keyword.arg}"
        for path in (ROOT / "site_app").rglob("*.py")
        for call in log_calls(path.read_text())
        for keyword in call.keywords
        if keyword.arg and keyword.arg not in ALLOWED_KEYS | {"exc_info"}
    ]

    assert withheld == []


def test_an_exception_is_its_type_and_its_place() -> None:
    with collected_log() as out:
        try:
            raise_canary()
        except ValueError:
            structlog.get_logger().exception("lead.failed")
            logging.getLogger("reflex.app").exception("failed on %s", CANARY)

    assert CANARY not in out.getvalue()
    for line in lines(out):
        assert line["error"] == "ValueError"
        assert line["trace"][-1].startswith("tests/unit/test_logs.py:")
        assert line["trace"][-1].endswith("raise_canary")


@pytest.mark.parametrize(
    ("message", "arguments", "expected"),
    [
        ("no handler for %s", (CANARY,), "no handler for %s"),
        (f"no handler for {CANARY}", (), "library message"),
    ],
)
def test_a_librarys_message_is_logged_without_its_arguments(message: str, arguments: tuple[str, ...], expected: str) -> None:
    with collected_log() as out:
        logging.getLogger("reflex_base.event").warning(message, *arguments)

    (line,) = lines(out)
    assert line["event"] == expected
    assert line["at"].startswith("tests/unit/test_logs.py:")
    assert CANARY not in out.getvalue()


def test_a_librarys_own_log_handler_is_replaced_by_ours(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("_granian")
    logger.addHandler(logging.StreamHandler())
    logger.propagate = False

    with collected_log() as out:
        try:
            raise_canary()
        except ValueError as error:
            logger.error(f"Application callable raised an exception\nTraceback: {error}", exc_info=error)

    assert lines(out)[0]["event"] == "Application callable raised an exception"
    assert lines(out)[0]["error"] == "ValueError"
    assert CANARY not in out.getvalue() + capsys.readouterr().err


def test_a_developer_reads_lines_and_tracebacks_in_full() -> None:
    with collected_log() as out:
        configure(replace(Settings(), production=False), out)
        try:
            raise_canary()
        except ValueError:
            logging.getLogger("reflex.app").exception("it broke")

    assert "it broke" in out.getvalue()
    assert CANARY in out.getvalue()


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_a_developer_reads_the_trace_of_an_exception_that_is_logged_later(log_format: Any) -> None:
    """Reflex passes a handler's exception on after its `except` block has ended."""
    error = failure()
    with collected_log() as out:
        configure(replace(Settings(), production=False, log_format=log_format), out)
        log_handler_error(error)

    assert "handler.failed" in out.getvalue()
    assert f"ValueError: {CANARY}" in out.getvalue()
    assert "raise_canary" in out.getvalue()
    assert len(out.getvalue().splitlines()) < 20, "the locals of each frame would hide the cause"


def test_the_log_level_setting_applies() -> None:
    with collected_log(log_level="error") as out:
        structlog.get_logger().warning("outbox.delayed")
        structlog.get_logger().error("outbox.given_up")

    assert [line["event"] for line in lines(out)] == ["outbox.given_up"]


async def answer_with_a_line(scope: Any, receive: Any, send: Any) -> None:
    structlog.get_logger().info("request.seen")
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def request(*headers: tuple[bytes, bytes]) -> dict[bytes, bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    app = RequestId(answer_with_a_line, make_id=lambda: "0123456789abcdef")
    await app({"type": "http", "headers": list(headers)}, None, send)
    return dict(sent[0]["headers"])


async def test_a_request_and_its_lines_have_one_id() -> None:
    with collected_log() as out:
        headers = await request()
        structlog.get_logger().info("courier.woken")

    request_line, later_line = lines(out)
    assert request_line["request_id"] == headers[b"x-request-id"].decode() == "0123456789abcdef"
    assert "request_id" not in later_line


@pytest.mark.parametrize(
    ("sent_id", "used"),
    [
        (b"7f3e0000-0000-4000-8000-000000000000", b"7f3e0000-0000-4000-8000-000000000000"),
        (b"canary-7f3k@example", b"0123456789abcdef"),
    ],
)
async def test_a_proxys_request_id_is_used_and_other_text_is_not(sent_id: bytes, used: bytes) -> None:
    with collected_log():
        headers = await request((b"x-request-id", sent_id))

    assert headers[b"x-request-id"] == used


async def test_a_failed_request_is_logged_with_its_place_and_id() -> None:
    async def fail(scope: Any, receive: Any, send: Any) -> None:
        raise_canary()

    with collected_log() as out, pytest.raises(ValueError, match=CANARY):
        await RequestId(fail, make_id=lambda: "0123456789abcdef")({"type": "http", "headers": []}, None, None)

    (line,) = lines(out)
    assert (line["event"], line["request_id"], line["error"]) == ("request.failed", "0123456789abcdef", "ValueError")
    assert CANARY not in out.getvalue()

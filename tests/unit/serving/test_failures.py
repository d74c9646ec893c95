"""A failure is logged by its type and place."""

import json

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from site_app.serving.failures import ThrottledLog, log_browser_error, log_handler_error
from tests.support.logs import collected_log

CANARY = "canary7f3k"


def test_a_failed_handler_is_logged_without_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.serving.failures.is_prod_mode", lambda: True)
    with collected_log() as out:
        try:
            raise ValueError(CANARY)
        except ValueError as error:
            event = log_handler_error(error)

    assert event is not None
    assert CANARY not in str(event)
    (line,) = map(json.loads, out.getvalue().splitlines())
    assert (line["event"], line["error"]) == ("handler.failed", "ValueError")
    assert CANARY not in out.getvalue()


def test_development_shows_the_error_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.serving.failures.is_prod_mode", lambda: False)
    with collected_log():
        event = log_handler_error(ValueError(f'{CANARY} "quoted"'))

    assert event is not None
    text = f'ValueError: {CANARY} "quoted"'
    (_, script), _ = event.args
    assert str(script) == json.dumps(f"refs.__failure({json.dumps(text)})")


@pytest.mark.parametrize("text", [f"TypeError: {CANARY}\n at {CANARY}", f"{CANARY}\r\n2026 error fake line", "x" * 100_000])
def test_a_browser_writes_nothing_into_the_log(text: str) -> None:
    with collected_log() as out:
        log_browser_error(Exception(text))

    for line in map(json.loads, out.getvalue().splitlines()):
        assert line["problem"] in ("TypeError", "other")
    assert CANARY not in out.getvalue()


def test_a_thousand_equal_failures_are_one_line() -> None:
    with collected_log() as out:
        throttled = ThrottledLog("socket.refused")
        for _ in range(1000):
            throttled.count("origin")
            throttled.count("token")

    assert len(out.getvalue().splitlines()) == 2


def test_a_redis_that_is_away_is_no_failed_handler_and_one_line() -> None:
    with collected_log() as out:
        for _ in range(100):
            log_handler_error(RedisConnectionError(CANARY))

    (line,) = map(json.loads, out.getvalue().splitlines())
    assert (line["event"], line["problem"]) == ("states.redis_gone", "ConnectionError")

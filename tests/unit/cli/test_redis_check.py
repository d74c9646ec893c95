"""A Redis that refuses the site stops the start; an unreachable one does not. Both are reported."""

import pytest

from site_app.cli.checks import refuse_wrong_password
from site_app.core.settings import Settings
from tests.support.site_server import free_port
from tests.unit.cli.small_redis import small_redis

WRONG_PASSWORD = "-WRONGPASS invalid username-password pair or user is disabled."
NO_PASSWORD = "-NOAUTH Authentication required."
NO_RIGHTS = "-NOPERM this user has no permissions to run the 'ping' command"


@pytest.mark.parametrize("reply", [WRONG_PASSWORD, NO_PASSWORD, NO_RIGHTS])
def test_a_refusing_redis_stops_the_start_without_showing_the_password(reply: str) -> None:
    with small_redis(reply) as port, pytest.raises(SystemExit, match="SITE_REDIS_URL") as end:
        refuse_wrong_password(Settings(redis_url=f"redis://:hunter2@127.0.0.1:{port}/0"))

    assert str(port) in str(end.value)
    assert "hunter2" not in str(end.value)


def test_an_unreachable_redis_is_reported_and_the_site_starts(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()

    refuse_wrong_password(Settings(redis_url=f"redis://:hunter2@127.0.0.1:{port}/0"))

    output = capsys.readouterr().err
    assert str(port) in output
    assert "hunter2" not in output


def test_a_redis_that_takes_the_site_is_not_mentioned(capsys: pytest.CaptureFixture[str]) -> None:
    with small_redis("+OK") as port:
        refuse_wrong_password(Settings(redis_url=f"redis://:hunter2@127.0.0.1:{port}/0"))
    refuse_wrong_password(Settings())

    assert capsys.readouterr().err == ""

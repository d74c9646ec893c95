"""Whoever may write to our Redis runs code here: an open one is refused."""

import pytest

from site_app.settings import BrokenSetting, load


@pytest.mark.parametrize(
    "url", ["redis://db.internal:6379/1", "rediss://db.internal", "redis://user@db.internal", "http://localhost"]
)
def test_an_open_redis_elsewhere_stops_the_start(url: str) -> None:
    with pytest.raises(BrokenSetting, match="SITE_REDIS_URL"):
        load({"SITE_REDIS_URL": url})


@pytest.mark.parametrize("url", ["", "redis://localhost:6379/1", "redis://:secret@db.internal/1", "unix:///run/redis.sock"])
def test_one_on_this_machine_or_with_a_password_is_taken(url: str) -> None:
    assert load({"SITE_REDIS_URL": url}).redis_url == url

"""Tokens carry the time a form was opened and the owner of a link, and cannot be forged."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from site_app.contracts.kinds.message import Message
from site_app.core.settings import BrokenSetting, Settings, load
from site_app.provider.http.tokens import Tokens, load_secret
from site_app.provider.leads.quarantine import spam_signals
from tests.support.builders import message

NOON = datetime(2030, 1, 2, 12, tzinfo=UTC)


def tokens(secret: str = "s" * 32, now: datetime = NOON) -> Tokens:
    return Tokens(secret, lambda: now)


def test_a_form_token_has_its_age_and_is_invalid_for_another_secret_or_purpose() -> None:
    form, link = tokens().form_token(), tokens().confirmation_token("Q-7F3K-29")

    assert tokens(now=NOON + timedelta(minutes=5)).age(form) == timedelta(minutes=5)
    assert tokens("t" * 32).age(form) is None
    assert tokens().age(link) is None
    assert tokens().confirmed_reference(form) is None
    assert tokens().age(form[:-1]) is None
    assert tokens().confirmed_reference(link) == "Q-7F3K-29"


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    settings = Settings(var=tmp_path / "var")

    first, second = load_secret(settings), load_secret(settings)

    assert first == second
    assert len(first) > 40
    assert [(file.name, file.stat().st_mode & 0o777) for file in settings.var.iterdir()] == [("secret", 0o600)]


def test_a_secret_setting_is_used_instead_of_a_file(tmp_path: Path) -> None:
    settings = replace(Settings(var=tmp_path), secret="x" * 24)

    assert load_secret(settings) == "x" * 24
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(days=730)])
def test_a_form_opened_while_the_clock_was_ahead_is_no_sign_of_spam(ahead: timedelta) -> None:
    submission = Message.model_validate(message(token=tokens(now=NOON + ahead).form_token()))

    assert spam_signals(submission, tokens(), timedelta(seconds=3)) == ()


@pytest.mark.parametrize("content", [b"", b"short", b"\n" * 40, b"\xff" * 40])
def test_a_secret_that_anybody_could_guess_stops_the_start_and_says_which_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret").write_bytes(content)

    with pytest.raises(BrokenSetting, match=str(tmp_path / "secret")):
        load_secret(Settings(var=tmp_path))

    assert (tmp_path / "secret").read_bytes() == content


@pytest.mark.parametrize("spaces", ["\t" * 30, " " * 20 + "short"])
def test_a_secret_of_spaces_counts_as_unset(tmp_path: Path, spaces: str) -> None:
    with pytest.raises(BrokenSetting, match="SITE_SECRET"):
        load_secret(Settings(var=tmp_path, secret=spaces))
    with pytest.raises(BrokenSetting, match="SITE_SECRET"):
        load({"SITE_SECRET": spaces})

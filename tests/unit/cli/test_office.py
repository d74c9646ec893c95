"""The commands can do what the office's pages can, and log the same lines."""

from datetime import UTC, datetime, timedelta

import pytest

from site_app.core.settings import settings
from site_app.provider.store.tables import OfficeSession
from tests.unit.cli.conftest import Site
from tests.unit.outbox.writing import a_call, a_message, a_quote

QUOTE = "Q-7F3K-29"


@pytest.fixture
def site(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("SITE_OFFICE", "ada@example.com:owner,bo@example.com:reader")
    settings.cache_clear()
    return site


def logged(site: Site) -> list[tuple[str, str]]:
    return [(entry["person"], entry["action"]) for entry in site.json("office", "log")][::-1]


def test_a_lead_is_handled_and_the_last_change_taken_back(site: Site) -> None:
    site.add(a_quote())

    assert site.run("leads", "handle", "q-7f3k-29", "--status", "won", "--owner", "ada@example.com").exit_code == 0
    assert site.run("leads", "note", QUOTE, "Called.").exit_code == 0
    lead = site.json("leads", "show", QUOTE)

    assert (lead["status"], lead["owner"], lead["notes"][0]["text"]) == ("won", "ada@example.com", "Called.")
    assert site.run("leads", "undo", QUOTE).exit_code == 0
    assert site.json("leads", "show", QUOTE)["notes"] == []
    assert logged(site) == [("command line", action) for action in ("status", "owner", "note", "note removed")]


@pytest.mark.parametrize(
    "command",
    [
        ("handle", QUOTE, "--status", "won"),
        ("handle", "Q-NONE-99", "--status", "won"),
        ("note", "Q-NONE-99", "x"),
        ("undo", QUOTE),
    ],
)
def test_an_impossible_command_is_refused_with_a_reason(site: Site, command: tuple[str, ...]) -> None:
    site.add(a_quote(status="quarantined"))

    assert site.run("leads", *command).exit_code == 1
    assert logged(site) == []


def test_leads_are_searched_and_narrowed_by_language(site: Site) -> None:
    site.add(a_quote(language="th"), a_message(message="About algebraic patterns."))

    assert len(site.json("leads", "list", "--search", "ALGEBRAIC patterns")) == 2
    assert [lead["reference"] for lead in site.json("leads", "list", "--search", "algebraic", "--language", "th")] == [QUOTE]


def test_a_call_is_moved_only_to_a_free_slot(site: Site) -> None:
    day = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=7)
    weekday = day + timedelta(days=(7 - day.weekday()) % 7)
    site.add(a_call(starts_at=weekday, ends_at=weekday + timedelta(minutes=30)))

    moved = site.run("meetings", "move", "C-7F3K-29", f"{weekday:%Y-%m-%d} 15:00")
    refused = site.run("meetings", "move", "C-7F3K-29", f"{weekday:%Y-%m-%d} 03:00")

    assert moved.exit_code == 0, moved.output
    assert "15:00" in moved.output
    assert (refused.exit_code, "Near it are" in refused.output) == (1, True)
    assert logged(site) == [("command line", "move")]


def test_a_link_to_sign_in_is_printed_for_those_who_are_named(site: Site) -> None:
    assert "/office/enter/" in site.run("office", "link", "Ada@example.com").output
    assert site.run("office", "link", "stranger@example.com").exit_code == 1


def test_sessions_are_ended_by_person_by_number_or_all(site: Site) -> None:
    assert site.json("office", "sessions") == []
    assert "0 sessions" in site.run("office", "sign-out", "ada@example.com").output
    assert site.run("office", "sign-out").exit_code == 2


@pytest.mark.parametrize("number", ["a", "ab12", "", "%", "ab12cd34ef5", "AB12CD34EF56"])
def test_a_session_is_ended_by_its_whole_number_alone(site: Site, number: str) -> None:
    now = datetime.now(UTC)
    hashes = [f"ab12cd34ef5{last}{'0' * 52}" for last in "67"]
    site.add(
        *(OfficeSession(token_hash=token_hash, person="ada@example.com", created_at=now, seen_at=now) for token_hash in hashes)
    )

    refused = site.run("office", "sign-out", "--number", number)

    assert refused.exit_code != 0
    assert site.count(OfficeSession) == 2
    assert site.run("office", "sign-out", "--number", "ab12cd34ef56").output.startswith("1 session")
    assert site.count(OfficeSession) == 1


def test_a_test_mail_waits_for_the_site(site: Site) -> None:
    assert site.run("mail", "test", "ada@example.com").exit_code == 0
    assert site.json("mail", "status")["counts"]["waiting"] == 1
    assert site.run("mail", "test", "no address").exit_code == 2


def test_erasing_takes_the_notes_along(site: Site) -> None:
    site.add(a_quote())
    site.run("leads", "note", QUOTE, "Called.")

    site.run("leads", "erase", QUOTE, "--yes")

    assert logged(site)[-1] == ("command line", "erase")
    assert site.run("leads", "show", QUOTE).exit_code == 1

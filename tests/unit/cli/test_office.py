"""Commands about the office's people; changes by commands are in the log."""

from datetime import UTC, datetime

import pytest

from site_app.core.settings import settings
from site_app.provider.store.tables import Note, OfficeSession
from tests.support.records import NOW, a_message, a_quote
from tests.unit.cli.site import Site

QUOTE = "Q-7F3K-29"


@pytest.fixture
def site(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("SITE_OFFICE", "ada@example.com:owner,bo@example.com:reader")
    settings.cache_clear()
    return site


def actions_in_log(site: Site) -> list[tuple[str, str]]:
    return [(entry["person"], entry["action"]) for entry in site.json("office", "log")][::-1]


def test_leads_are_searched_and_narrowed_by_language(site: Site) -> None:
    site.add(a_quote(language="th"), a_message(message="About algebraic patterns."))

    assert len(site.json("leads", "list", "--search", "ALGEBRAIC patterns")) == 2
    assert [lead["reference"] for lead in site.json("leads", "list", "--search", "algebraic", "--language", "th")] == [QUOTE]


def test_a_link_to_sign_in_is_printed_for_those_who_are_named(site: Site) -> None:
    assert "/office/enter/" in site.run("office", "link", "Ada@example.com").output
    assert site.run("office", "link", "stranger@example.com").exit_code == 1


def test_sessions_are_ended_by_person_by_number_or_all(site: Site) -> None:
    assert site.json("office", "sessions") == []
    assert "0 sessions" in site.run("office", "sign-out", "ada@example.com").output
    assert site.run("office", "sign-out").exit_code == 2


@pytest.mark.parametrize("number", ["a", "ab12", "", "%", "ab12cd34ef5", "AB12CD34EF56"])
def test_a_session_is_ended_only_by_its_whole_number(site: Site, number: str) -> None:
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
    assert [entry["after"] for entry in site.json("office", "log")] == ["sessions of ada@example.com: 1"]


def test_a_test_mail_waits_for_the_site(site: Site) -> None:
    assert site.run("mail", "test", "ada@example.com").exit_code == 0
    assert site.json("mail", "status")["counts"]["waiting"] == 1
    assert site.run("mail", "test", "no address").exit_code == 2


def test_changes_of_the_command_line_are_logged(site: Site) -> None:
    site.add(
        a_quote(), a_message(status="quarantined"), Note(reference=QUOTE, person="ada@example.com", written_at=NOW, text="Hm.")
    )

    site.run("leads", "release", "M-7F3K-29")
    site.run("leads", "erase", QUOTE, "--yes")

    assert actions_in_log(site) == [("command line", "release"), ("command line", "erase")]
    assert site.count(Note) == 0
    assert site.run("leads", "show", QUOTE).exit_code == 1

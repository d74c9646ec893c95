"""An operator sees mail trouble, readership and settings, and has expired data erased."""

from datetime import UTC, datetime, timedelta
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from site_app.cli.main import main
from site_app.core.settings import settings
from site_app.provider.store.tables import Outbox, PageView
from tests.support.outbox import a_row
from tests.support.records import a_quote
from tests.unit.cli.site import Site

TODAY = datetime.now(UTC).date()


def dead_row() -> Outbox:
    row = a_row()
    row.status, row.attempts, row.last_error = "dead", 18, "SMTPConnectError"
    return row


def views(path: str, count: int, days_ago: int = 0, referrer: str = "") -> PageView:
    day = TODAY - timedelta(days=days_ago)
    return PageView(day=day, path=path, referrer=referrer, route=path, tag="x", language="en", count=count)


def test_abandoned_mail_is_listed_and_retried(site: Site) -> None:
    site.add(dead_row(), a_row(2))

    status_before = site.json("mail", "status")
    result = site.run("mail", "retry", "Q-1")
    status_after = site.json("mail", "status")

    assert status_before["counts"] == {"waiting": 1, "sending": 0, "sent": 0, "dead": 1, "withheld": 0}
    assert status_before["troubled"][0]["problem"] == "SMTPConnectError"
    assert result.exit_code == 0
    assert status_after["counts"]["waiting"] == 2
    assert status_after["troubled"] == []


@pytest.mark.parametrize("reference", ["quarantine-2026-11-21", "office-0a1b", "Q-7F3K-29"])
def test_a_mail_is_retried_by_its_reference_whatever_its_case(site: Site, reference: str) -> None:
    row = dead_row()
    row.reference = reference
    site.add(row)

    assert site.run("mail", "retry", reference if "Q" not in reference else reference.lower()).exit_code == 0
    assert site.json("mail", "status")["counts"]["waiting"] == 1


def test_retrying_fails_without_mails_or_without_a_choice(site: Site) -> None:
    assert site.run("mail", "retry", "--all").exit_code == 1
    assert site.run("mail", "retry").exit_code == 2


def test_readers_are_counted_by_page_day_and_origin(site: Site) -> None:
    site.add(views("/faq", 30), views("/", 10, days_ago=1, referrer="search.example"), views("/faq", 5, days_ago=40))

    output = site.run("insights").output

    assert "40 views since" in output
    assert output.index("/faq") < output.index("search.example")
    assert sum(row["views"] for row in site.json("insights", "--days", "60")) == 45


def test_settings_show_what_is_set_but_no_secret(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_SMTP_PASSWORD", "hunter2-hunter2")
    settings.cache_clear()

    output = site.run("settings").output
    as_json = {setting["variable"]: setting for setting in site.json("settings")}

    assert "hunter2" not in output + str(as_json)
    assert as_json["SITE_SMTP_PASSWORD"]["value"] == "(set)"
    assert as_json["SITE_VAR"]["value"] == str(site.var)
    assert as_json["SITE_KEEP_LEADS"]["default"] == "730d"


def test_a_database_without_tables_is_reported_in_one_line_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["site_app", "leads", "list"])
    monkeypatch.setenv("SITE_VAR", str(tmp_path))
    settings.cache_clear()

    code = main()
    settings.cache_clear()

    assert code == 1
    assert "db upgrade" in capsys.readouterr().err
    assert list(tmp_path.glob("site.db*")) == []


@pytest.mark.parametrize("arguments", [("insights", "--days", "1000000"), ("meetings", "list", "--past", "10000000000")])
def test_days_before_the_calendar_are_refused(site: Site, arguments: tuple[str, ...]) -> None:
    result = site.run(*arguments)

    assert result.exit_code == 2
    assert "36500" in result.output


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("settings",), 0, "SITE_BRAND_NAME"),
        (("leads", "list"), 0, "Q-7F3K-29"),
        (("leads", "export"), 1, "PYTHONIOENCODING=utf-8"),
        (("leads", "list", "--json"), 1, "PYTHONIOENCODING=utf-8"),
    ],
    ids=str,
)
def test_a_terminal_without_a_sign_shows_a_question_mark_and_an_export_never_does(
    site: Site, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    site.add(a_quote(full_name="สมชาย"))
    out, err = (TextIOWrapper(BytesIO(), encoding="latin-1", write_through=True) for _ in range(2))
    monkeypatch.setattr("sys.argv", ["site_app", *arguments])
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)

    try:
        result: object = main()
    except SystemExit as end:
        result = end.code

    output = b"".join(stream.buffer.getvalue() for stream in (out, err) if isinstance(stream.buffer, BytesIO)).decode("latin-1")
    assert (result or 0) == code, output
    assert sentence in output
    assert "Traceback" not in output

"""Mails about a lead, to the team and to the sender."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from site_app.provider.api.mails import compose
from site_app.provider.leads.mails import answer_text, confirmation_rows, lead_rows, name_of, news_text
from site_app.provider.outbox.mail import read_mail
from site_app.provider.outbox.rows import INTERNAL_COLUMNS
from site_app.provider.store.tables import Lead
from tests.support.records import (
    NOW,
    SETTINGS,
    a_message,
    a_quote,
    an_application,
    mail_of,
    mails_of,
    text_of,
)


def test_the_teams_mail_links_to_the_office_if_there_is_one() -> None:
    [team_row, *_] = lead_rows(a_quote(), settings=SETTINGS, now=NOW)

    link = news_text(team_row.payload, replace(SETTINGS, office=("ada@example.com:owner",))).action

    assert link
    assert link.url == "https://www.example.com/office/leads/Q-7F3K-29"
    assert news_text(team_row.payload, SETTINGS).action is None


def test_the_team_learns_everything_and_a_reply_goes_to_the_visitor() -> None:
    news = mails_of(a_quote(), files=[{"name": "brief.pdf", "size": 1_234_567}])["news"]

    assert news["To"] == "Plumbline <hello@plumbline.example.com>"
    assert news["Reply-To"] == "Ada Lovelace <ada@example.org>"
    assert all(part in news["Subject"] for part in ("Q-7F3K-29", "Ada Lovelace"))
    for fact in ("United Kingdom", "British Pound (GBP)", "Brand creation", "brief.pdf (1.2 MB)", "algebraic", "/faq"):
        assert fact in text_of(news)


def test_a_mail_to_the_team_that_still_waits_goes_to_the_corrected_address() -> None:
    [team_row, *_] = lead_rows(a_quote(), settings=replace(SETTINGS, mail_team="tema@example.com"), now=NOW)

    [recipient] = read_mail(compose(team_row, replace(SETTINGS, mail_team="team@example.com")))["To"].addresses

    assert recipient.addr_spec == "team@example.com"


def test_the_sender_gets_the_reference_and_what_happens_next() -> None:
    answer = mails_of(a_quote())["answer"]

    assert answer["To"] == "ada@example.org"
    assert answer["Reply-To"] == "Plumbline <hello@plumbline.example.com>"
    assert answer["Auto-Submitted"] == "auto-replied"
    for fact in ("Q-7F3K-29", "What happens next", "a first estimate", "2 August 2028"):
        assert fact in text_of(answer)
        assert fact in text_of(answer, "html")


def test_a_mail_written_twice_has_the_same_id_and_date() -> None:
    first, second = (mail_of(lead_rows(a_quote(), settings=SETTINGS, now=NOW)[0]) for _ in range(2))

    assert first["Message-ID"] == second["Message-ID"] == "<Q-7F3K-29.news.0@plumbline.example.com>"
    assert first["Date"] == second["Date"]


def test_the_webhook_is_a_row_only_where_one_is_set() -> None:
    settings = replace(SETTINGS, webhook_url="https://crm.example.com/hook", webhook_secret="s" * 24)

    event = lead_rows(a_quote(), settings=settings, now=NOW)[-1]

    assert event.kind == "webhook"
    assert event.payload["type"] == "lead.created"
    assert event.payload["data"]["services"] == ["web-development", "brand-creation"]
    assert "webhook" not in {row.kind for row in lead_rows(a_quote(), settings=SETTINGS, now=NOW)}


def test_a_confirmation_request_says_where_to_answer_and_until_when() -> None:
    (row,) = confirmation_rows(a_message(), confirm_url="https://www.example.com/confirm/t", settings=SETTINGS, now=NOW)
    mail = mail_of(row)

    assert "https://www.example.com/confirm/t" in text_of(mail)
    assert "30 days" in text_of(mail)
    opening = "Someone has sent us a form with this email address. Before we reply, please confirm that it was you."
    assert opening in " ".join(text_of(mail).split())


@pytest.mark.parametrize("make", [a_quote, a_message, an_application], ids=lambda make: make.__name__)
def test_no_text_of_the_sender_is_mailed_to_an_unconfirmed_address(make) -> None:
    lead, internal = make(), INTERNAL_COLUMNS | {"reference", "kind", "language", "email"}
    for name, field in type(lead).model_fields.items():
        if field.annotation is str and name not in internal:
            setattr(lead, name, "PILLS")
    lead.own_fields = dict.fromkeys(lead.own_fields, "PILLS")

    mails = [mails_of(lead, files=[{"name": "PILLS.pdf", "size": 1}])["answer"]]
    mails += map(mail_of, confirmation_rows(lead, confirm_url="https://www.example.com/confirm/t", settings=SETTINGS, now=NOW))

    for mail in mails:
        assert "PILLS" not in mail.as_string() + text_of(mail) + text_of(mail, "html")


@pytest.mark.parametrize("language", ["th", "cn"])
def test_the_sender_reads_it_in_the_language_of_the_page(language: str) -> None:
    mails = mails_of(a_quote(language=language))

    tags = {"th": "th", "cn": "zh-Hans"}
    assert mails["answer"]["Content-Language"] == tags[language]
    assert f'<html lang="{tags[language]}">' in text_of(mails["answer"], "html")
    assert mails["news"]["Content-Language"] == "en"


def test_html_shows_what_was_typed_and_loads_nothing() -> None:
    html = text_of(mails_of(a_message(message="<img src=https://spy.example/x.png><script>x</script>"))["news"], "html")

    assert "&lt;img src=" in html
    assert not re.search(r"<(img|script|link|iframe|table)\b|url\(|@import", html)


@pytest.mark.parametrize(
    ("language", "first_name", "last_name", "name"),
    [
        ("en", "Ada", "Lovelace", "Ada Lovelace"),
        ("cn", "小明", "王", "王小明"),
        ("cn", "Ada", "Lovelace", "Ada Lovelace"),
        ("th", "สมชาย", "ใจดี", "สมชาย ใจดี"),
    ],
)
def test_a_name_is_written_as_in_its_language(language: str, first_name: str, last_name: str, name: str) -> None:
    assert name_of({"language": language, "first_name": first_name, "last_name": last_name}) == name


def test_the_preview_of_a_mail_starts_with_its_first_sentence() -> None:
    body = mails_of(a_message())["answer"].get_body(("html",))
    assert body
    html = body.get_content()

    visible_lines = re.sub(r"<[^>]+>", " ", html.partition("<body>")[2]).split("\n", 2)

    assert "M-" in " ".join(visible_lines[:2])


@pytest.fixture
def reply_in_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.provider.leads.mails.REPLY_DAYS", 1)


@pytest.mark.parametrize(
    ("accepted_at", "days_off", "replied_by"),
    [
        (datetime(2026, 8, 3, 10, tzinfo=UTC), (), "Tuesday 4 August 2026"),
        (datetime(2026, 8, 7, 10, tzinfo=UTC), (), "Monday 10 August 2026"),
        (datetime(2026, 8, 7, 10, tzinfo=UTC), ("2026-08-10..2026-08-11",), "Monday 10 August 2026"),
        (datetime(2026, 8, 3, 23, 30, tzinfo=UTC), (), "Wednesday 5 August 2026"),  # in London it is Tuesday
    ],
)
@pytest.mark.usefixtures("reply_in_a_day")
def test_the_answer_names_the_day_of_the_reply(accepted_at: datetime, days_off: tuple[str, ...], replied_by: str) -> None:
    """A lead that was released from quarantine is counted from its release, not from the day it was sent.

    Days without calls are working days: the website promises a reply on each day from Monday to Friday that is no public holiday.
    """
    [_, row, *_] = lead_rows(a_quote(), settings=SETTINGS, now=accepted_at)

    assert answer_text(row.payload, replace(SETTINGS, booking_days_off=days_off)).heading.endswith(replied_by)


@pytest.mark.parametrize(
    ("lead", "subject"),
    [
        (a_message(), "Please confirm your message (M-7F3K-29)"),
        (a_quote(), "Please confirm what you sent us (Q-7F3K-29)"),
        (an_application(), "Please confirm what you sent us (A-7F3K-29)"),
    ],
)
def test_only_a_message_is_confirmed_as_one(lead: Lead, subject: str) -> None:
    [row] = confirmation_rows(lead, confirm_url="https://www.example.com/confirm/s3cret", settings=SETTINGS, now=NOW)

    assert mail_of(row)["Subject"] == subject


@pytest.mark.usefixtures("reply_in_a_day")
def test_a_public_holiday_is_no_working_day() -> None:
    [_, row, *_] = lead_rows(a_quote(), settings=SETTINGS, now=datetime(2026, 8, 28, 10, tzinfo=UTC))

    heading = answer_text(row.payload, replace(SETTINGS, booking_holidays="GB-ENG")).heading

    assert heading.endswith("Tuesday 1 September 2026")  # Monday is the summer bank holiday


def test_a_mail_says_what_the_law_wants_of_a_company() -> None:
    for mail in mails_of(a_quote()).values():
        text = " ".join(text_of(mail).split())

        assert f"Registered in {SETTINGS.brand_registered_in}, number {SETTINGS.brand_company_number}" in text
        assert SETTINGS.brand_legal_name in text
        assert SETTINGS.brand_address in text

"""Mails in Thai and Chinese: no English left in them, and dates as the site writes them."""

from datetime import timedelta
from email.message import EmailMessage

import pytest

from site_app.core.i18n import use
from site_app.core.locales import BY_ID
from site_app.provider.booking.calendar_file import calendar_file
from site_app.provider.booking.mails import Occasion, no_show_rows
from site_app.provider.leads.mails import confirmation_rows
from site_app.provider.store.tables import Lead
from tests.support.latin import latin_words, visible_texts
from tests.support.records import (
    NOW,
    SETTINGS,
    a_meeting,
    a_message,
    a_quote,
    an_application,
    mail_of,
    mails_of,
    meeting_mails,
    text_of,
)

languages = pytest.mark.parametrize("language", ["th", "cn"])
# A visitor's words are not translated; the sample has no latin letters.
TYPED = {"full_name": "艾达", "project_description": "机器", "company": "公司", "subject": "问题", "message": "请问"}


def english_in(mail: EmailMessage, language: str) -> set[str]:
    return latin_words([str(mail["Subject"]), text_of(mail), *visible_texts(text_of(mail, "html"))], language)


@languages
@pytest.mark.parametrize("make", [a_quote, a_message, an_application], ids=lambda make: make.__name__)
def test_a_receipt_mail_has_no_english_words(language: str, make) -> None:
    lead: Lead = make(language=language, company="公司")
    typed = TYPED | {"first_name": "艾达", "last_name": "艾达"}
    lead.own_fields |= {name: typed[name] for name in typed.keys() & lead.own_fields.keys()}

    mail = mails_of(lead, files=[{"name": "机器.pdf", "size": 1_234_567}, {"name": "机器.zip", "size": 1_234}])["answer"]

    assert english_in(mail, language) == set()


@languages
def test_no_confirmation_request_keeps_english(language: str) -> None:
    (row,) = confirmation_rows(a_quote(language=language), confirm_url="https://www.example.com/x", settings=SETTINGS, now=NOW)

    assert english_in(mail_of(row), language) == set()


@languages
@pytest.mark.parametrize("occasion", Occasion)
def test_no_mail_about_a_meeting_keeps_english(language: str, occasion: str) -> None:
    meeting = a_meeting(
        language=language, remind_at=NOW, moved_from=NOW + timedelta(days=1), project_information="机器", full_name="艾达"
    )

    visitor, _ = meeting_mails(occasion, meeting)

    assert english_in(visitor, language) == set()


@languages
def test_no_mail_about_a_no_show_keeps_english(language: str) -> None:
    (row,) = no_show_rows(a_meeting(language=language, full_name="艾达"), settings=SETTINGS, now=NOW, with_mail=True)

    assert english_in(mail_of(row), language) == set()


@languages
def test_no_calendar_file_keeps_english(language: str) -> None:
    meeting = a_meeting(language=language, project_information="机器", full_name="艾达")

    with use(BY_ID[language]):
        file = calendar_file(meeting, SETTINGS).content.decode().replace("\r\n ", "")

    texts = [
        line.partition(":")[2].replace("\\n", " ") for line in file.splitlines() if line.startswith(("SUMMARY", "DESCRIPTION"))
    ]
    assert len(texts) == 2
    assert latin_words(texts, language) == set()


def test_a_day_is_written_as_on_the_site() -> None:
    thai, chinese = (text_of(mails_of(a_quote(language=language))["answer"]) for language in ("th", "cn"))

    assert "2 สิงหาคม 2028" in thai  # no era between month and year
    assert "2028年8月2日" in chinese


def test_a_line_of_facts_has_the_colon_of_its_language() -> None:
    visitor, _ = meeting_mails("booked", a_meeting(language="cn"))

    assert "编号：C-7F3K-29" in text_of(visitor)

"""Visitors cannot inject mail headers."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from site_app.contracts.kinds.message import Message
from site_app.core.settings import Settings
from site_app.provider.api.mails import compose
from site_app.provider.leads.mails import lead_rows
from site_app.provider.outbox.mail import read_mail
from tests.support.builders import message
from tests.support.records import NOW, a_message, mails_of

HEADERS = {
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "References", "Auto-Submitted",
    "X-Auto-Response-Suppress", "MIME-Version", "Content-Type", "Content-Language",
}  # fmt: skip
ATTACKS = st.sampled_from(
    ["\r\nBcc: x@evil.example", "\n\n<b>", '", <x@evil.example>', "=?utf-8?q?=0ABcc=3A?=", "\u202e", "é,"]
)
LOCAL = st.text("abZ0=?!#$%&'*+-/^_`{|}~.qb8", min_size=1, max_size=40)
ENCODED = st.builds("{}=?utf-8?q?{}?={}".format, *[st.text("ab.=?", max_size=3)] * 3)
EMAILS = st.builds("{}@gmail.com".format, st.one_of(LOCAL, ENCODED))
TEXT = st.lists(st.one_of(ATTACKS, st.text(max_size=40)), max_size=6).map("".join)


@given(name=TEXT, subject=TEXT)
@example(*["=?utf-8?q?=0ABcc=3A x@evil.example?="] * 2)
@settings(max_examples=30, deadline=None)
def test_no_name_and_no_subject_adds_a_header_or_a_recipient(name: str, subject: str) -> None:
    mails = mails_of(a_message(full_name=name, subject=subject))

    for mail in mails.values():
        assert set(mail.keys()) == HEADERS
        assert len(mail.keys()) == len(HEADERS)
        assert not mail.defects
    assert [address.addr_spec for address in mails["news"]["Reply-To"].addresses] == ["ada@example.org"]
    assert [address.addr_spec for address in mails["answer"]["To"].addresses] == ["ada@example.org"]


def test_a_name_arrives_as_it_was_written() -> None:
    for name in ("Zoë Ångström", "สมชาย ใจดี", "王小明", "O'Neil-Smith Jr."):
        news = mails_of(a_message(full_name=name))["news"]

        assert news["Reply-To"].addresses[0].display_name == name


def test_a_name_like_an_address_loses_its_special_characters() -> None:
    news = mails_of(a_message(full_name='ceo@bank.example" <ceo@bank.example>, x'))["news"]

    assert news["Reply-To"].addresses[0].display_name == "ceo bank.example ceo bank.example x"


@pytest.mark.parametrize("address", ["=?utf-8?q?x?=@gmail.com", "=?utf-8?b?YQ==?=@gmail.com", "=?utf-8?q?x?=.y@gmail.com"])
def test_the_team_gets_a_lead_with_an_address_that_fits_no_header(address: str) -> None:
    row = next(row for row in lead_rows(a_message(email=address), settings=Settings(), now=NOW) if row.template == "news")

    mail = read_mail(compose(row, Settings()))

    assert mail["To"].addresses[0].addr_spec == Settings().brand_email
    assert mail["Reply-To"].addresses[0].addr_spec == Settings().brand_email
    assert address in mail.get_body(("plain",)).get_content()  # pyright: ignore[reportOptionalMemberAccess]


@given(email=EMAILS)
@settings(max_examples=60, deadline=None)
def test_every_address_that_a_form_takes_can_be_written_to(email: str) -> None:
    try:
        accepted_email = Message.model_validate(message(email=email)).email
    except ValidationError:
        return

    mails = mails_of(a_message(email=accepted_email))

    assert [address.addr_spec for address in mails["news"]["Reply-To"].addresses] == [accepted_email]
    assert [address.addr_spec for address in mails["answer"]["To"].addresses] == [accepted_email]

"""Nobody writes a header but us."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.letters.writing import a_message, mails_of

HEADERS = {
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "References", "Auto-Submitted",
    "X-Auto-Response-Suppress", "MIME-Version", "Content-Type", "Content-Language",
}  # fmt: skip
ATTACKS = st.sampled_from(
    ["\r\nBcc: x@evil.example", "\n\n<b>", '", <x@evil.example>', "=?utf-8?q?=0ABcc=3A?=", "\u202e", "é,"]
)
TEXT = st.lists(st.one_of(ATTACKS, st.text(max_size=40)), max_size=6).map("".join)


@given(name=TEXT, subject=TEXT)
@settings(max_examples=80, deadline=None)
def test_no_name_and_no_subject_adds_a_header_or_a_recipient(name: str, subject: str) -> None:
    mails = mails_of(a_message(full_name=name, subject=subject))

    for mail in mails.values():
        assert set(mail.keys()) == HEADERS
        assert len(mail.keys()) == len(HEADERS)
        assert not mail.defects
    assert [one.addr_spec for one in mails["news"]["Reply-To"].addresses] == ["ada@example.org"]
    assert [one.addr_spec for one in mails["answer"]["To"].addresses] == ["ada@example.org"]


def test_a_name_arrives_as_it_was_written() -> None:
    for name in ("Zoë Ångström", "สมชาย ใจดี", "王小明", "O'Neil-Smith Jr."):
        news = mails_of(a_message(full_name=name))["news"]

        assert news["Reply-To"].addresses[0].display_name == name


def test_a_name_that_looks_like_an_address_loses_its_marks() -> None:
    news = mails_of(a_message(full_name='ceo@bank.example" <ceo@bank.example>, x'))["news"]

    assert news["Reply-To"].addresses[0].display_name == "ceo bank.example ceo bank.example x"


def test_a_line_break_hidden_in_an_encoded_word_stays_hidden() -> None:
    hidden = "=?utf-8?q?=0ABcc=3A x@evil.example?="

    for mail in mails_of(a_message(full_name=hidden, subject=hidden)).values():
        assert mail["Bcc"] is None

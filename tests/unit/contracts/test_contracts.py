"""Contracts: accepted and refused input, cleaning, and error messages."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any, TypeVar

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError

from site_app.contracts.fields import label
from site_app.contracts.input import attributes, one_line
from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.kinds.affiliate import AffiliateRequest
from site_app.contracts.kinds.message import Message
from site_app.contracts.kinds.quote import QuoteRequest
from site_app.contracts.lists import ListRequest
from site_app.contracts.meeting import HoldRequest, MeetingRequest, SlotsRequest
from site_app.contracts.problems import problems
from site_app.contracts.submission import ContactedSubmission, Contract
from site_app.provider.insights.page_views import PageViewed
from tests.support.builders import SUBMISSIONS, affiliate, meeting, message, quote

C = TypeVar("C", bound=Contract)
BUILDERS: dict[type[Contract], Callable[..., dict[str, Any]]] = dict(SUBMISSIONS.values())
LABELS: dict[type[BaseModel], Callable[[str], str]] = {kind.contract: kind.label for kind in LEAD_KINDS}
EVERY = [*BUILDERS, SlotsRequest, HoldRequest, ListRequest, PageViewed]


def faults(contract: type[BaseModel], payload: dict[str, Any]) -> dict[str, str]:
    try:
        contract.model_validate_json(json.dumps(payload))
    except ValidationError as error:
        return problems(error, LABELS.get(contract, label))
    return {}


@pytest.mark.parametrize("contract", BUILDERS)
def test_a_complete_submission_is_accepted(contract: type[Contract]) -> None:
    assert faults(contract, BUILDERS[contract]()) == {}


@pytest.mark.parametrize("contract", BUILDERS)
def test_a_missing_required_field_is_named_by_its_label(contract: type[Contract]) -> None:
    messages = faults(contract, {})

    required = {name for name, field in contract.model_fields.items() if field.is_required()}
    assert set(messages) == required
    assert len({*messages.values()}) == len(messages)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"full_name": "  "}, ""),
        ({"full_name": "A"}, "2"),
        ({"full_name": "A" * 101}, "100"),
        ({"email": ""}, ""),
        ({"email": "ada@"}, ""),
        ({"email": "Ada <ada@example.com>"}, ""),
        ({"email": "ada@example.com\r\nBcc: eve@example.com"}, ""),
        ({"email": "=?utf-8?q?x?=@gmail.com"}, ""),
        ({"email": "ada@mail.test"}, ""),
        ({"phone": "+44 20 7946 095"}, ""),
        ({"services": []}, "1"),
        ({"services": ["web-development", "web-development"]}, ""),
        ({"project_description": "too short"}, "20"),
        ({"attachments": ["x" * 22] * 6}, "5"),
        ({"country": "ZZ"}, ""),
        ({"currency": "DEM"}, ""),
        ({"nickname": "Ada"}, ""),
        ({"full_name": 7}, ""),
        ({"key": "short"}, ""),
    ],
)
def test_a_fault_is_named_in_plain_words_with_the_figure_that_counts(change: dict[str, Any], part: str) -> None:
    messages = faults(QuoteRequest, quote(**change))

    assert messages.keys() == change.keys()
    # pydantic's own messages say "should"
    assert all(part in text and "should" not in text and "\n" not in text for text in messages.values())


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "ftp://example.com", "https://", "example.com", "http://[::1", "//x.y"]
)
def test_a_website_is_only_http_or_https(address: str) -> None:
    assert set(faults(AffiliateRequest, affiliate(company_website=address))) == {"company_website"}


def test_a_line_is_composed_and_free_of_invisible_characters() -> None:
    submission = QuoteRequest.model_validate(quote(full_name=" Zoe\u0308\tvan\r\nDam\u202e\x00 "))

    assert submission.full_name == "Zo\u00eb van Dam"


@pytest.mark.parametrize("unseen", ["\x00", "\u202e", "\u200e", "\ufeff"])
def test_invisible_characters_between_words_become_one_space(unseen: str) -> None:
    assert one_line(f"Zoe {unseen} van") == "Zoe van"
    assert one_line(f"Zoe{unseen} {unseen} van") == "Zoe van"


@pytest.mark.parametrize("mark", ["\u200b", "\u2060", "\u00ad", "\ufeff"])
@pytest.mark.parametrize("place", ["{}ada@example.org", "ada@example.org{}", "ada{}@example.org", "ada@exam{}ple.org"])
def test_a_mail_address_is_read_without_the_invisible_marks_of_a_copy(mark: str, place: str) -> None:
    assert Message.model_validate(message(email=place.format(mark))).email == "ada@example.org"


def test_a_mail_address_of_invisible_marks_alone_is_refused() -> None:
    assert set(faults(Message, message(email="\u200b\u2060"))) == {"email"}


def test_lines_keep_their_breaks() -> None:
    submission = Message.model_validate(message(message="One line\r\nand another\u2028and a third\x07"))

    assert submission.message == "One line\nand another\nand a third"


def test_a_number_is_read_with_its_extension_and_kept_as_typed() -> None:
    submission = Message.model_validate(message(phone="(213) 373-4253 ext. 123", phone_country="US"))

    assert submission.phone == "(213) 373-4253 ext. 123"
    assert submission.parsed_phone is not None
    assert (submission.parsed_phone.e164, submission.parsed_phone.extension, submission.parsed_phone.country) == (
        "+12133734253",
        "123",
        "US",
    )


def test_the_browser_has_the_same_limits() -> None:
    assert attributes(QuoteRequest, "project_description") == {"required": True, "minlength": 20, "maxlength": 5000}
    assert attributes(QuoteRequest, "email") == {"required": True, "maxlength": 254, "type": "email"}
    assert attributes(AffiliateRequest, "company_website") == {"maxlength": 300, "type": "url"}
    assert attributes(QuoteRequest, "services") == {"required": True}


def test_the_content_of_a_submission_excludes_its_delivery_fields() -> None:
    first = Message.model_validate(message(token="a", key="1" * 20))
    second = Message.model_validate(message(token="b", key="2" * 20, language="th"))
    changed = Message.model_validate(message(subject="Another subject"))

    assert first.content_json() == second.content_json() != changed.content_json()


def test_a_later_release_with_an_optional_field_and_another_order_knows_the_content_again() -> None:
    class LaterMessage(ContactedSubmission):
        budget: str = ""
        message: str
        topics: list[str] = Field(default_factory=list)
        subject: str
        full_name: str

    sent = message()
    stored = Message.model_validate(sent).content_json()

    assert LaterMessage.model_validate(sent).content_json() == stored
    assert LaterMessage.model_validate(sent | {"budget": "small"}).content_json() != stored


@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=200))
def test_no_invisible_character_is_ever_stored(text: str) -> None:
    payload = message(full_name=f"Ada {text}"[:100], message=f"A message: {text}", subject=f"Sub {text}"[:150])

    submission = parsed_or_refused(Message, payload)
    if submission is None:
        return

    for line in (submission.full_name, submission.subject):
        assert not any(unicodedata.category(mark) in ("Cc", "Zl", "Zp") for mark in line)
        assert unicodedata.is_normalized("NFC", line)
    assert "\r" not in submission.message


def parsed_or_refused(contract: type[C], payload: Any) -> C | None:
    try:
        return contract.model_validate_json(json.dumps(payload))
    except ValidationError as error:
        messages = problems(error)
    assert messages
    assert all(messages.values())
    return None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=20, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("contract", EVERY)
def test_any_field_value_is_accepted_or_refused_with_messages(contract: type[Contract], data: st.DataObject) -> None:
    _try_anything(contract, data)


@pytest.mark.slow
@settings(max_examples=1300, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("contract", EVERY)
def test_any_json_is_accepted_or_refused_with_messages(contract: type[Contract], data: st.DataObject) -> None:
    _try_anything(contract, data)


def _try_anything(contract: type[Contract], data: st.DataObject) -> None:
    base = BUILDERS[contract]() if contract in BUILDERS else {}
    changes = data.draw(st.dictionaries(st.sampled_from([*contract.model_fields, "other"]), JSON, max_size=3))
    submission = parsed_or_refused(contract, base | changes)

    if submission:
        assert contract.model_validate_json(submission.model_dump_json()) == submission


@pytest.mark.parametrize("country", sorted(phonenumbers.SUPPORTED_REGIONS))
def test_a_national_number_of_every_country_that_the_phone_field_offers_is_accepted(country: str) -> None:
    number = phonenumbers.example_number(country)
    assert number
    national = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)

    assert faults(Message, message(phone=national, phone_country=country)) == {}


@pytest.mark.parametrize("odd", [None, "x" * 5000, 5, ["a"], {"a": 1}, "fr\x00"])
@pytest.mark.parametrize("name", ["token", "website_url", "language", "page", "phone_country"])
def test_a_hidden_field_is_never_a_reason_to_refuse(name: str, odd: Any) -> None:
    submission = QuoteRequest.model_validate(quote(**{name: odd}))

    assert submission.model_dump_json()  # stored and passed on without an error
    if name in ("token", "website_url"):
        assert bool(getattr(submission, name)) == bool(odd)  # a filled hidden field still counts as a spam signal
    assert (submission.language, submission.page) == ("en", "")


@pytest.mark.parametrize("hold", [None, "", "short", 5, "x" * 500])
def test_an_invalid_hold_does_not_stop_a_booking(hold: Any) -> None:
    assert MeetingRequest.model_validate(meeting(hold=hold)).hold is None

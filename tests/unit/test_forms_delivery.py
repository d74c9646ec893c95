"""The form state's handling of every kind of reply from the provider."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import stamina

from site_app.client import ProviderError, install
from site_app.content.form_words import network_error
from site_app.contracts.kinds import BY_NAME, LEAD_KINDS
from site_app.contracts.meeting import Booked, CalendarLinks, Slot, SlotRefused
from site_app.contracts.reply import Accepted, Refusal, Refused
from site_app.contracts.submission import SubmissionKind
from site_app.core.i18n import current
from site_app.forms import delivery
from site_app.forms import form as forms
from site_app.forms.views import CONSULTATION
from tests.support.builders import SUBMISSIONS, meeting, message, quote
from tests.unit.faked import FakeState

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef"
MESSAGE, QUOTE = BY_NAME["message"], BY_NAME["quote"]
START = datetime(2030, 1, 2, 9, 30, tzinfo=UTC)
SLOT = Slot(id="20300102T0930Z", start=START, end=START + timedelta(minutes=30))
BOOKED = Booked(
    reference="C-7F3K-29",
    slot=SLOT,
    time_zone="Asia/Bangkok",
    day="Wednesday 2 January 2030",
    clocks="16:30 Bangkok · 09:30 London",
    conferencing_url="https://meet.example.com/room",
    manage_url="https://example.com/meetings/secret",
    calendar=CalendarLinks(ics="https://example.com/a.ics", google="https://google.test", outlook="https://outlook.test"),
)


class FakeProvider:
    """Returns the given replies in turn; an exception is raised."""

    def __init__(self, *replies: Accepted | Booked | Refused | Exception) -> None:
        self.replies = list(replies)
        self.calls: list[tuple[str, dict[str, Any], str]] = []
        self.languages: list[str] = []

    async def submit(self, call: str, payload: dict[str, Any], *, address: str) -> Any:
        self.calls.append((call, payload, address))
        self.languages.append(current().id)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


@pytest.fixture
def provider() -> Callable[..., FakeProvider]:
    def replying(*replies: Accepted | Booked | Refused | Exception) -> FakeProvider:
        fake = FakeProvider(*replies)
        install(fake)  # type: ignore[arg-type]
        return fake

    return replying


@pytest.fixture(autouse=True)
def no_pauses() -> Iterator[None]:
    with stamina.set_testing(True, attempts=4):
        yield


def payload_of(build: Callable[..., dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """Returns a browser's payload: the fields without the key, which is sent separately."""
    fields = build(**changes)
    del fields["key"]
    return fields


async def submit(state: Any, kind: SubmissionKind, fields: Any, key: Any = KEY, attempt: Any = 1) -> None:
    await delivery.deliver(state, kind, fields, key, attempt)


@pytest.mark.parametrize("kind", [*LEAD_KINDS, CONSULTATION])
async def test_a_submission_is_acknowledged_with_its_reference(kind: SubmissionKind, provider: Any) -> None:
    fake, state = provider(Accepted(reference="Q-7F3K-29")), FakeState()

    await submit(state, kind, payload_of(SUBMISSIONS[kind.call][1]), attempt=7)

    ((call, submission, address),) = fake.calls
    assert (call, submission["key"], address) == (kind.call, KEY, "203.0.113.9")
    assert state.reply["outcome"] == "sent"
    assert (state.reply["key"], state.reply["attempt"], state.reply["reference"]) == (KEY, 7, "Q-7F3K-29")
    assert state.snackbar.snack_bar_data["type"] == "success"
    assert state.snackbar.snack_bar_data["text"]


async def test_the_provider_gets_the_language_of_the_page(provider: Any) -> None:
    fake = provider(Accepted(reference="M-7F3K-29"))

    await submit(FakeState("/contact-us"), MESSAGE, payload_of(message))
    await submit(FakeState("/th/contact-us"), MESSAGE, payload_of(message))

    assert fake.languages == ["en", "th"]


async def test_an_error_found_by_the_provider_is_shown_at_its_field(provider: Any) -> None:
    state = FakeState()
    provider(Refused(error=Refusal(code="invalid", message="Please check", fields={"email": "Email address invalid"})))

    await submit(state, QUOTE, payload_of(quote))

    assert state.reply["outcome"] == "refused"
    assert state.reply["fields"] == {"email": "Email address invalid"}


async def test_a_time_that_is_gone_is_a_refusal_of_its_field(provider: Any) -> None:
    state = FakeState()
    provider(SlotRefused(error=Refusal(code="slot_gone", message="Gone", fields={"slot": "Taken"})))

    await submit(state, CONSULTATION, payload_of(meeting))

    assert (state.reply["outcome"], state.reply["fields"]) == ("refused", {"slot": "Taken"})


async def test_a_booking_is_answered_with_the_data_of_its_confirmation(provider: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "REPLY_KEPT_SECONDS", 0.1)
    provider(BOOKED)
    state, booking = FakeState(), forms.STATES["consultation"].submit.fn

    first = asyncio.ensure_future(booking(state, payload_of(meeting), KEY, 3))
    await asyncio.sleep(0.05)
    assert state.reply["outcome"] == "sent"
    assert (state.reply["details"]["manage_url"], state.reply["details"]["slot"]["id"]) == (BOOKED.manage_url, SLOT.id)
    state.reply = {**state.reply, "attempt": 4}  # a newer attempt was answered in the meantime
    await first
    assert state.reply

    await booking(state, payload_of(meeting), KEY, 5)
    assert state.reply is None


async def test_a_provider_that_comes_back_in_time_is_not_noticed(provider: Any) -> None:
    fake, state = provider(ProviderError(), ProviderError(), Accepted(reference="M-7F3K-29")), FakeState()

    await submit(state, MESSAGE, payload_of(message))

    assert state.reply["outcome"] == "sent"
    assert {submission["key"] for _, submission, _ in fake.calls} == {KEY}


async def test_a_provider_that_stays_away_is_a_network_error_that_can_be_tried_again(provider: Any) -> None:
    state = FakeState()
    provider(ProviderError())

    await submit(state, MESSAGE, payload_of(message), attempt=3)

    assert (state.reply["outcome"], state.reply["attempt"]) == ("failed", 3)
    snackbar = state.snackbar
    data = snackbar.snack_bar_data
    assert (data["type"], data["text"], data["timeout"]) == ("error", network_error(), 0)
    assert (data["show_action_button"], snackbar.action) == (True, "submit:message")


@pytest.mark.parametrize(
    ("fields", "key", "attempt"), [(None, KEY, 1), ([], KEY, 1), ({}, None, 1), ({}, 5, 1), ({}, KEY, "1"), ({}, KEY, True)]
)
async def test_a_forged_delivery_event_changes_nothing(fields: Any, key: Any, attempt: Any, provider: Any) -> None:
    fake, state = provider(Accepted(reference="M-7F3K-29")), FakeState()

    await submit(state, MESSAGE, fields, key, attempt)

    assert fake.calls == []
    assert state.reply is None


async def test_no_text_of_a_visitor_stays_in_the_state(provider: Any) -> None:
    state = FakeState()
    provider(Accepted(reference="M-7F3K-29"))

    await submit(state, MESSAGE, payload_of(message, full_name="Canary", message="Canary sings here"))

    assert "Canary" not in repr(vars(state.snackbar)) + repr(state.reply)

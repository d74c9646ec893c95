"""What a form's state does with a submission, whatever the provider answers."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from site_app.client import ProviderError, install
from site_app.content.form_words import network_error
from site_app.contracts.answer import Accepted, Refusal, Refused
from site_app.contracts.meeting import Booked, CalendarLinks, Slot, SlotRefused
from site_app.forms import delivery
from site_app.forms.consultation import state as consultation
from site_app.forms.consultation.state import ConsultationState
from site_app.forms.state import STATES
from site_app.i18n import current
from site_app.leads.kinds import KINDS
from tests.builders import SUBMISSIONS, meeting, message, quote
from tests.unit.faked import FakeState

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef"
FORMS = [(STATES[kind.name], SUBMISSIONS[kind.call][1], kind.call) for kind in KINDS]
FORMS.append((ConsultationState, meeting, "bookMeeting"))
MESSAGE, QUOTE = STATES["message"], STATES["quote"]
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
    """Answers every call in turn with what it was given; an exception is raised."""

    def __init__(self, *answers: Accepted | Booked | Refused | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any], str]] = []
        self.languages: list[str] = []

    async def submit(self, call: str, said: dict[str, Any], *, address: str) -> Any:
        self.asked.append((call, said, address))
        self.languages.append(current().id)
        told = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(told, Exception):
            raise told
        return told


@pytest.fixture
def provider() -> Callable[..., FakeProvider]:
    def answering(*answers: Accepted | Booked | Refused | Exception) -> FakeProvider:
        one = FakeProvider(*answers)
        install(one)  # type: ignore[arg-type]
        return one

    return answering


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "PAUSES", (0, 0, 0))


def said(build: Callable[..., dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """What a browser sends: the fields without the key, which goes beside them."""
    fields = build(**changes)
    del fields["key"]
    return fields


async def submit(state: Any, form: Any, fields: Any, key: Any = KEY, attempt: Any = 1) -> None:
    await form.submit.fn(state, fields, key, attempt)


@pytest.mark.parametrize(("form", "build", "call"), FORMS)
async def test_a_submission_is_acknowledged_with_its_reference(form: Any, build: Any, call: str, provider: Any) -> None:
    there, state = provider(Accepted(reference="Q-7F3K-29")), FakeState()

    await submit(state, form, said(build), attempt=7)

    ((asked, submission, address),) = there.asked
    assert (asked, submission["key"], address) == (call, KEY, "203.0.113.9")
    assert state.answer["outcome"] == "sent"
    assert (state.answer["key"], state.answer["attempt"], state.answer["reference"]) == (KEY, 7, "Q-7F3K-29")
    assert state.snackbar.type == "success"
    assert state.snackbar.text


async def test_the_provider_is_asked_in_the_language_of_the_page(provider: Any) -> None:
    there = provider(Accepted(reference="M-7F3K-29"))

    await submit(FakeState("/contact-us"), MESSAGE, said(message))
    await submit(FakeState("/th/contact-us"), MESSAGE, said(message))

    assert there.languages == ["en", "th"]


async def test_what_only_the_provider_can_see_stands_beside_its_field(provider: Any) -> None:
    state = FakeState()
    provider(Refused(error=Refusal(code="invalid", message="Please check", fields={"email": "Email address invalid"})))

    await submit(state, QUOTE, said(quote))

    assert state.answer["outcome"] == "refused"
    assert state.answer["fields"] == {"email": "Email address invalid"}


async def test_a_time_that_is_gone_is_a_refusal_of_its_field(provider: Any) -> None:
    state = FakeState()
    provider(SlotRefused(error=Refusal(code="slot_gone", message="Gone", fields={"slot": "Taken"})))

    await submit(state, ConsultationState, said(meeting))

    assert (state.answer["outcome"], state.answer["fields"]) == ("refused", {"slot": "Taken"})


async def test_a_booking_is_answered_with_what_the_confirmation_shows_and_that_is_forgotten(
    provider: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consultation, "ANSWER_KEPT_SECONDS", 0)
    provider(BOOKED)
    state = FakeState()

    await submit(state, ConsultationState, said(meeting), attempt=3)

    assert state.answer["outcome"] == "sent"
    assert (state.answer["more"]["manage_url"], state.answer["more"]["slot"]["id"]) == (BOOKED.manage_url, SLOT.id)
    await ConsultationState.forget.fn(state, 2)  # pyright: ignore  # of an earlier try
    assert state.answer["more"]
    await ConsultationState.forget.fn(state, 3)  # pyright: ignore
    assert "secret" not in repr(state.answer)


async def test_a_provider_that_comes_back_in_time_is_not_noticed(provider: Any) -> None:
    there, state = provider(ProviderError(), ProviderError(), Accepted(reference="M-7F3K-29")), FakeState()

    await submit(state, MESSAGE, said(message))

    assert state.answer["outcome"] == "sent"
    assert {submission["key"] for _, submission, _ in there.asked} == {KEY}


async def test_a_provider_that_stays_away_is_a_network_error_that_can_be_tried_again(provider: Any) -> None:
    state = FakeState()
    provider(ProviderError())

    await submit(state, MESSAGE, said(message), attempt=3)

    assert (state.answer["outcome"], state.answer["attempt"]) == ("failed", 3)
    snackbar = state.snackbar
    assert (snackbar.type, snackbar.text, snackbar.timeout) == ("error", network_error(), 0)
    assert (snackbar.show_action_button, snackbar.action) == (True, "submit:message")


@pytest.mark.parametrize(
    ("fields", "key", "attempt"), [(None, KEY, 1), ([], KEY, 1), ({}, None, 1), ({}, 5, 1), ({}, KEY, "1"), ({}, KEY, True)]
)
async def test_a_forged_event_changes_nothing(fields: Any, key: Any, attempt: Any, provider: Any) -> None:
    there, state = provider(Accepted(reference="M-7F3K-29")), FakeState()

    await submit(state, MESSAGE, fields, key, attempt)

    assert there.asked == []
    assert state.answer is None


async def test_nothing_a_visitor_wrote_is_kept_in_the_state(provider: Any) -> None:
    state = FakeState()
    provider(Accepted(reference="M-7F3K-29"))

    await submit(state, MESSAGE, said(message, full_name="Canary", message="Canary sings here"))

    assert "Canary" not in repr(vars(state.snackbar)) + repr(state.answer)

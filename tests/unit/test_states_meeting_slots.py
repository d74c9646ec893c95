"""The slot list and the hold, between the browser and a provider that is played."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from site_app.client import ProviderError, door
from site_app.contracts.answer import Done, Refusal, Refused
from site_app.contracts.meeting import Booked, CalendarLinks, Held, Slot, SlotRefused, Slots
from site_app.forms.consultation import state as consultation
from site_app.forms.consultation.state import ConsultationState
from site_app.i18n import current
from site_app.states.meeting_slots import NOTHING, MeetingSlotsState, seconds_until
from tests.builders import meeting
from tests.unit.faked import FakeState

pytestmark = pytest.mark.anyio

START = datetime(2030, 1, 2, 9, 30, tzinfo=UTC)
SLOT = Slot(id="20300102T0930Z", start=START, end=START + timedelta(minutes=30))
MINE = "0123456789abcdef0123456789abcdef"
GONE = SlotRefused(error=Refusal(code="slot_taken", message="This time has just been taken", fields={"slot": "Gone"}))
LIMITED = Refused(error=Refusal(code="too_many", message="Too many at once"))


class FakeDoor:
    """Gives every call the same answer, or raises it, and remembers what was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[tuple[str, dict[str, Any], str, str]] = []

    def __getattr__(self, call: str) -> Callable[..., Any]:
        async def ask(said: Any, given: Any = None, *, address: str) -> Any:
            if call == "submit":
                return self.answer
            self.asked.append((call, said.model_dump(exclude_defaults=True), address, current().id))
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

        return ask


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], FakeDoor]:
    def install(answer: Any) -> FakeDoor:
        fake = FakeDoor(answer)
        monkeypatch.setattr(door, "_installed", [fake])
        return fake

    return install


async def run(handler: Any, state: FakeState, *arguments: Any) -> Any:
    return await handler.fn(state, *arguments)


async def test_loading_replaces_the_list_and_counts_one_hold_as_free(plays: Any) -> None:
    there, state = plays(Slots(results=[SLOT])), FakeState()
    state.failed = True

    await run(MeetingSlotsState.load, state, MINE)

    assert state.meeting_slots == [SLOT.model_dump(mode="json")]
    assert (state.loads, state.failed) == (1, False)
    assert there.asked == [("meeting_slots", {"hold": MINE}, "203.0.113.9", "en")]


@pytest.mark.parametrize("answer", [ProviderError(), LIMITED])
async def test_slots_that_cannot_be_loaded_leave_the_old_list_and_say_so(plays: Any, answer: Any) -> None:
    plays(answer)
    state = FakeState()

    await run(MeetingSlotsState.load, state, "")

    assert state.meeting_slots == ["old"]
    assert (state.loads, state.failed) == (1, True)


async def test_a_missing_list_is_an_empty_one(plays: Any) -> None:
    plays(Slots())
    state = FakeState()

    await run(MeetingSlotsState.load, state, "")

    assert (state.meeting_slots, state.failed) == ([], False)


async def test_a_held_slot_is_told_with_the_time_it_has_left(plays: Any) -> None:
    there = plays(Held(hold=MINE, slot=SLOT, expires_at=datetime.now(UTC) + timedelta(minutes=10)))
    state = FakeState("/th/faq")

    await run(MeetingSlotsState.hold, state, SLOT.id, MINE, 7)

    assert there.asked == [("hold_slot", {"slot": SLOT.id, "hold": MINE}, "203.0.113.9", "th")]
    assert state.held == {"ask": 7, "outcome": "held", "slot": SLOT.id, "seconds": 600, "message": ""}


async def test_the_loser_of_a_race_is_told_so(plays: Any) -> None:
    plays(GONE)
    state = FakeState()

    await run(MeetingSlotsState.hold, state, SLOT.id, MINE, 8)

    assert state.held == {**NOTHING, "ask": 8, "outcome": "refused", "message": "This time has just been taken"}


async def test_a_slot_that_nobody_can_hold_is_no_slot_lost(plays: Any) -> None:
    plays(None)
    state = FakeState()

    await run(MeetingSlotsState.hold, state, SLOT.id, MINE, 9)

    assert state.held == {**NOTHING, "ask": 9, "outcome": "none"}


async def test_no_name_of_a_hold_stays_in_the_state(plays: Any) -> None:
    plays(Held(hold=MINE, slot=SLOT, expires_at=datetime.now(UTC)))
    state = FakeState()

    await run(MeetingSlotsState.hold, state, SLOT.id, MINE, 7)
    await run(MeetingSlotsState.extend, state, MINE, 8)

    assert MINE not in repr(vars(state))


@pytest.mark.parametrize(
    ("slot", "hold", "ask"),
    [
        (None, MINE, 1),
        ("x" * 10_000, MINE, 1),
        (SLOT.id, "short", 1),
        (SLOT.id, {}, 1),
        (SLOT.id, MINE, "1"),
        (SLOT.id, MINE, True),
    ],
)
async def test_a_forged_question_reaches_nobody(plays: Any, slot: Any, hold: Any, ask: Any) -> None:
    there, state = plays(GONE), FakeState()

    await run(MeetingSlotsState.hold, state, slot, hold, ask)

    assert there.asked == []
    assert state.held == NOTHING


@pytest.mark.parametrize("answer", [Done(), None])
async def test_a_hold_is_given_back_without_a_word(plays: Any, answer: Any) -> None:
    there, state = plays(answer), FakeState()

    await run(MeetingSlotsState.release, state, MINE)
    await run(MeetingSlotsState.release, state, ["forged"])

    assert [call for call, *_ in there.asked] == ["release_hold"]
    assert state.held == NOTHING


def test_time_that_is_over_is_no_time() -> None:
    assert seconds_until(START, START + timedelta(seconds=5)) == 0
    assert seconds_until(START + timedelta(seconds=90), START) == 90


async def test_a_booking_is_answered_with_what_the_confirmation_shows(plays: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consultation, "TOLD_FOR_SECONDS", 0)
    plays(_booked())
    state = FakeState()

    await run(ConsultationState.submit, state, {name: value for name, value in meeting().items() if name != "key"}, "k" * 16, 3)

    assert state.answer["outcome"] == "sent"
    assert state.answer["more"]["manage_url"] == "https://example.com/meetings/secret"
    assert state.answer["more"]["slot"]["id"] == SLOT.id

    await run(ConsultationState.forget, state, 2)  # of an earlier try
    assert state.answer["more"]

    await run(ConsultationState.forget, state, 3)
    assert "secret" not in repr(state.answer)


def _booked() -> Booked:
    return Booked(
        reference="C-7F3K-29",
        state="booked",
        slot=SLOT,
        time_zone="Asia/Bangkok",
        conferencing_url="https://meet.example.com/room",
        manage_url="https://example.com/meetings/secret",
        calendar=CalendarLinks(ics="https://example.com/a.ics", google="https://google.test", outlook="https://outlook.test"),
    )

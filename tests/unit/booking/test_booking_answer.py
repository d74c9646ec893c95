"""What a browser is told of the call it booked, between a provider that is played and the state."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from site_app import client as calls
from site_app.contracts.meeting import Booked, CalendarLinks, Slot
from site_app.forms.consultation import state as consultation
from site_app.forms.consultation.state import ConsultationState
from tests.builders import meeting
from tests.unit.faked import FakeState

pytestmark = pytest.mark.anyio
START = datetime(2030, 1, 2, 9, 30, tzinfo=UTC)
SLOT = Slot(id="20300102T0930Z", start=START, end=START + timedelta(minutes=30))


class FakeProvider:
    async def submit(self, *_: Any, **__: Any) -> Booked:
        return _booked()


async def run(handler: Any, state: FakeState, *arguments: Any) -> Any:
    return await handler.fn(state, *arguments)


async def test_a_booking_is_answered_with_what_the_confirmation_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consultation, "ANSWER_KEPT_SECONDS", 0)
    monkeypatch.setattr(calls, "_installed", [FakeProvider()])
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
        slot=SLOT,
        time_zone="Asia/Bangkok",
        day="Wednesday 2 January 2030",
        clocks="16:30 Bangkok · 09:30 London",
        conferencing_url="https://meet.example.com/room",
        manage_url="https://example.com/meetings/secret",
        calendar=CalendarLinks(ics="https://example.com/a.ics", google="https://google.test", outlook="https://outlook.test"),
    )

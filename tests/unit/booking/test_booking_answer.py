"""What a browser is told of the call it booked, between a provider that is played and the state."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from site_app import client as calls
from site_app.contracts.meeting import Booked, CalendarLinks, Slot
from site_app.forms import state as forms
from tests.builders import meeting
from tests.unit.faked import FakeState

pytestmark = pytest.mark.anyio
START = datetime(2030, 1, 2, 9, 30, tzinfo=UTC)
SLOT = Slot(id="20300102T0930Z", start=START, end=START + timedelta(minutes=30))


class FakeProvider:
    async def submit(self, *_: Any, **__: Any) -> Booked:
        return _booked()


async def test_a_booking_is_answered_with_what_the_confirmation_shows_until_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forms, "ANSWER_KEPT_SECONDS", 0.1)
    monkeypatch.setattr(calls, "_installed", [FakeProvider()])
    state, fields = FakeState(), {name: value for name, value in meeting().items() if name != "key"}

    first = asyncio.ensure_future(forms.STATES["consultation"].submit.fn(state, fields, "k" * 16, 3))
    await asyncio.sleep(0.05)
    assert state.answer["outcome"] == "sent"
    assert state.answer["more"]["manage_url"] == "https://example.com/meetings/secret"
    assert state.answer["more"]["slot"]["id"] == SLOT.id

    state.answer = {**state.answer, "attempt": 4}  # another try has been answered meanwhile
    await first
    assert state.answer

    await forms.STATES["consultation"].submit.fn(state, fields, "k" * 16, 5)
    assert state.answer is None


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

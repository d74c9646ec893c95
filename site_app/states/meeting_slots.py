"""The free slots for a consultation call, and the hold on the chosen one."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Literal, TypedDict

import reflex as rx
from pydantic import BaseModel, ValidationError

from site_app.client import ProviderError, provider
from site_app.contracts.answer import Refused
from site_app.contracts.meeting import ExtendRequest, Held, HoldRequest, Slots, SlotsRequest
from site_app.i18n import use
from site_app.states.door import Row
from site_app.states.language import spoken


class HoldAnswer(TypedDict):
    """What the browser is told about the hold it asked for, by the number of its question."""

    ask: int
    outcome: Literal["", "held", "refused", "none"]  # none: nobody holds it, and the call can be booked all the same
    slot: str
    seconds: int  # until it runs out
    message: str


NOTHING: HoldAnswer = {"ask": 0, "outcome": "", "slot": "", "seconds": 0, "message": ""}


class MeetingSlotsState(rx.State):
    """Starts empty; `loads` counts what was asked for, and `failed` says that the last of it brought no answer.

    A hold's name is a secret between the browser and the provider: it passes through, and none is kept here.
    """

    meeting_slots: rx.Field[list[Row]] = rx.field(default_factory=list)
    loads: int = 0
    failed: bool = False
    held: HoldAnswer = NOTHING

    @rx.event(background=True)
    async def load(self, hold: str):
        """Replace the list by what the provider offers this visitor now; on failure the old one stays."""
        slots = await _slots(hold, _address(self))
        async with self:
            self.loads += 1
            self.failed = slots is None
            if slots is not None:
                self.meeting_slots = slots

    @rx.event(background=True)
    async def hold(self, slot: str, hold: str, ask: int):
        """Hold a slot under that name, which may hold another one already."""
        await _answer(self, ask, lambda: HoldRequest(slot=slot, hold=hold), provider().hold_slot)

    @rx.event(background=True)
    async def extend(self, hold: str, ask: int):
        """Begin the hold's time anew."""
        await _answer(self, ask, lambda: ExtendRequest(hold=hold), provider().extend_hold)

    @rx.event(background=True)
    async def release(self, hold: str):
        """Give the slot back; should that fail, it is free again by itself."""
        with suppress(ValidationError):
            await provider().release_hold(ExtendRequest(hold=hold), address=_address(self))


async def _slots(hold: str, address: str) -> list[Row] | None:
    with suppress(ProviderError, ValidationError):
        match await provider().meeting_slots(SlotsRequest(hold=hold or None), address=address):
            case Slots(results=slots):
                return [slot.model_dump(mode="json") for slot in slots]
    return None


async def _answer(
    state: Any, ask: Any, said: Callable[[], BaseModel], send: Callable[..., Awaitable[Held | Refused | None]]
) -> None:
    """Pass the question on and tell the browser the answer; what is no question at all is left alone."""
    if type(ask) is not int:
        return
    try:
        with use(spoken(state)):
            answer = _told(await send(said(), address=_address(state)))
    except ValidationError:
        return
    async with state:
        state.held = {**answer, "ask": ask}


def _told(answer: Held | Refused | None) -> HoldAnswer:
    if answer is None:
        return {**NOTHING, "outcome": "none"}
    if isinstance(answer, Refused):
        return {**NOTHING, "outcome": "refused", "message": answer.error.message}
    return {
        **NOTHING,
        "outcome": "held",
        "slot": answer.slot.id,
        "seconds": seconds_until(answer.expires_at, datetime.now(UTC)),
    }


def seconds_until(moment: datetime, now: datetime) -> int:
    return max(0, round((moment - now).total_seconds()))


def _address(state: Any) -> str:
    return state.router.session.client_ip

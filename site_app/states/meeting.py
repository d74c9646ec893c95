"""The consultation call that a visitor chooses: the free times, whose clock they are on, the chosen time, and the hold on it."""

import asyncio
import secrets
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import reflex as rx

from site_app.client import ProviderError, provider
from site_app.content.form_words import choose_a_time, held_for_longer, network_error
from site_app.contracts.answer import Refused
from site_app.contracts.days import Day, Sheet, Time, day_of, sheet_index, sheets_of, slots_by_day, time_of, visitor_zone
from site_app.contracts.fields import time_zones
from site_app.contracts.meeting import HOLD_ID, SLOT_ID, Held, HoldRequest, ReleaseRequest, Slot, Slots, SlotsRequest, nearest
from site_app.contracts.problems import problem
from site_app.core.i18n import BY_ID, ENGLISH, use
from site_app.core.i18n.clocks import zone_choices
from site_app.core.settings import settings

FreeSlot = tuple[str, int]  # the provider's id, and the start in seconds of Unix time: a month of them is pickled in 8 kB
ZoneChoice = tuple[str, str]  # a zone's name and its label
Step = Literal["time", "details", "booked"]
_LONGEST_MESSAGE = 300  # characters


class ZoneList(list[ZoneChoice]):
    """All zones with their labels on a day. Pickled with a visitor's state it is what it is made of, not its 420 rows."""

    def __init__(self, language: str, day: str, zone: str) -> None:
        with use(BY_ID[language]):
            super().__init__(zone_choices(datetime.fromisoformat(day).replace(tzinfo=UTC), zone))
        self.made_of = (language, day, zone)

    def __reduce__(self) -> tuple[Any, ...]:
        return ZoneList, self.made_of


class MeetingState(rx.State):
    """What is chosen and held. What is typed stays in the browser's form, which is handed the slot, the zone and the hold.

    `slots` is replaced by each load, and emptied when the dialog closes: a visitor who has left takes up little room.
    """

    slots: rx.Field[list[FreeSlot]] = rx.field(default_factory=list)
    loading: bool = False
    loaded: bool = False
    failed: bool = False
    failures: int = 0

    language: str = ENGLISH.id
    zone: str = ""
    zone_list_day: str = ""  # of the offsets in the labels
    zone_list_zone: str = ""  # in the list even if it is an old name
    shown_day: str = ""
    sheet: int = 0

    is_open: bool = False
    step: Step = "time"
    slot: str = ""
    slot_start: int = 0
    problem: str = ""
    spoken: str = ""  # for screen readers
    arrivals: int = 0  # each leads the focus to a new heading …
    arrived_in: str = ""  # … on a page in this language

    hold_name: str = ""
    held_slot: str = ""
    holding: bool = False
    not_held: bool = False  # the provider does not hold times, or did not answer
    held_at: int = 0  # in milliseconds of Unix time: names the newest hold
    hold_seconds: int = 0  # from then to its end
    lapsed: bool = False

    lost: str = ""  # why the time is gone
    lost_start: int = 0

    _loads: int = 0

    @rx.var
    def sheets(self) -> list[Sheet]:
        """The calendar of the free days."""
        with use(BY_ID[self.language]):
            return sheets_of(_slots(self.slots), _zone(self.zone))

    @rx.var
    def free_days(self) -> list[str]:
        return [day.isoformat() for day in _days(self.slots, self.zone)]

    @rx.var
    def day(self) -> Day:
        """The day whose times are shown."""
        by_day = slots_by_day(_slots(self.slots), _zone(self.zone))
        same_day = next((slots for day, slots in by_day.items() if day.isoformat() == self.shown_day), [])
        if not same_day:
            return Day(date=date.min, words="", notes=[], times=[])
        with use(BY_ID[self.language]):
            return day_of(same_day, _zone(self.zone), _host())

    @rx.var
    def chosen(self) -> Time:
        """The chosen time in words; empty ones if none is chosen."""
        return _time(self.slot, self.slot_start, self.zone, self.language)

    @rx.var
    def nearest(self) -> list[Time]:
        """The free times around the one that was lost."""
        if not self.lost:
            return []
        slots = nearest(_slots(self.slots), datetime.fromtimestamp(self.lost_start, UTC))
        with use(BY_ID[self.language]):
            return [time_of(slot, _zone(self.zone), _host()) for slot in slots]

    @rx.var
    def zones(self) -> list[ZoneChoice]:
        if not self.zone_list_day or not self.zone_list_zone:
            return []
        return ZoneList(self.language, self.zone_list_day, self.zone_list_zone)

    @rx.var
    def is_held(self) -> bool:
        return self.hold_seconds > 0 and not self.lapsed

    @rx.event(background=True)
    async def open(self, language: str, clock: str, zone: str, slot: str, hold: str):
        """The dialog is open: load the times, and hold again what was chosen before.

        `clock` is the browser's zone; zone, slot and hold are what its tab remembers, for a server that has forgotten.
        """
        async with self:
            self._begin(language, (self.zone, zone, clock), hold)
            chosen_slot, was_held = self.slot, self.step == "details" and not self.lost
        if chosen_slot and was_held:
            await _hold(self, chosen_slot)
        await _load(self)
        if slot and not chosen_slot:
            await _hold_again(self, slot)

    @rx.event
    async def close(self):
        """The dialog is closed: others may have the time. Waits for the provider, so that a dialog opened next holds it after that."""
        self.is_open = False
        name = self.hold_name
        self._drop()
        self.slots, self.loaded = [], False
        if name and self.step != "booked":
            await _release(self, name)

    @rx.event(background=True)
    async def load(self):
        await _load(self)

    @rx.event
    def show_day(self, day: str):
        if day in self.free_days:
            self.shown_day = day

    @rx.event
    def show_sheet_of(self, day: str):
        """Turn the calendar to a day, for keys that lead beyond the sheet."""
        days = _days(self.slots, self.zone)
        if day in self.free_days:
            self.sheet = sheet_index(days, date.fromisoformat(day))

    @rx.event
    def turn(self, sheets: int):
        """Turn the calendar forward, or back."""
        self.sheet = min(max(self.sheet + sheets, 0), max(len(self.sheets) - 1, 0))

    @rx.event
    def change_zone(self, zone: str):
        if zone in time_zones():
            self.zone = zone
            self._show_a_free_day()

    @rx.event
    def choose(self, slot: str):
        start = dict(self.slots).get(slot)
        if start is not None:
            self.slot, self.slot_start, self.problem = slot, start, ""

    @rx.event(background=True)
    async def hold(self):
        """Hold the chosen time and go on to the form; held already, it is held for longer."""
        async with self:
            if not self.slot:
                with use(BY_ID[self.language]):
                    self.problem = choose_a_time()
                return
        await _hold(self, self.slot)

    @rx.event(background=True)
    async def extend(self):
        """Hold the held time for longer, wherever the visitor is by now."""
        if self.held_slot:
            await _hold(self, self.held_slot, goes_on=self.step != "time")

    @rx.event
    def lapse(self, held_at: int):
        """The browser's clock says that a hold has run out, unless a newer one has begun."""
        self.lapsed = self.lapsed or held_at == self.held_at

    @rx.event(background=True)
    async def reconsider(self):
        """Back to the times; what is held stays held until another time is."""
        async with self:
            self.step, self.lost, self.problem, self.shown_day = "time", "", "", ""
            self._show_a_free_day()
            self._arrive()
        await _load(self)

    @rx.event(background=True)
    async def lose(self, errors: dict[str, str]):
        """The form was refused because of its time: offer the nearest, and keep the form."""
        message = str(errors.get("slot", ""))[:_LONGEST_MESSAGE]
        if not message:
            return
        await _load(self)
        async with self:
            if self.slot:
                self._lose(message)
            else:
                self.problem = message
                self._arrive()

    @rx.event
    def finish(self):
        """The call is booked: the hold has become the call."""
        self._drop()
        self.step, self.slots, self.loaded, self.lost, self.hold_name = "booked", [], False, "", ""

    @rx.event(background=True)
    async def begin_again(self, language: str):
        """Another call after the one that was booked."""
        async with self:
            self._begin(language, (self.zone,), "")
            self._arrive()
        await _load(self)

    def _begin(self, language: str, zones: tuple[str, ...], hold: str) -> None:
        self.is_open = True
        self.language = language if language in BY_ID else self.language
        with use(BY_ID[self.language]):
            self.zone = visitor_zone(next(filter(time_zones().__contains__, zones), ""), _host()).key
        if self.zone_list_zone != self.zone:
            self.zone_list_zone = self.zone
        self.hold_name = self.hold_name or (hold if HOLD_ID.fullmatch(hold) else "")
        self.arrived_in, self.holding = "", False
        if self.step == "booked":
            self.step, self.slot, self.slot_start = "time", "", 0

    def _arrive(self) -> None:
        self.arrivals += 1
        self.arrived_in = self.language

    def _drop(self) -> None:
        """The hold is no longer."""
        self.held_slot, self.hold_seconds, self.lapsed = "", 0, False

    def _lose(self, message: str) -> None:
        if self.held_slot == self.slot:
            self._drop()  # else an earlier hold still stands
        self.lost, self.lost_start = message, self.slot_start
        self.slot, self.slot_start = "", 0
        self._arrive()

    def _show_a_free_day(self) -> None:
        """Show the day that was asked for, if it is free, else that of the chosen time, else the first."""
        days = _days(self.slots, self.zone)
        if not days:
            return
        preferred = self.shown_day, datetime.fromtimestamp(self.slot_start, _zone(self.zone)).date().isoformat()
        day = next((day for iso in preferred for day in days if day.isoformat() == iso), days[0])
        self.shown_day, self.sheet = day.isoformat(), sheet_index(days, day)


async def _load(state: Any) -> None:
    """Replace the free times by the provider's; an answer that a newer question has overtaken is ignored."""
    async with state:
        state._loads += 1
        load = state._loads
        state.loading, state.failed, state.problem = True, False, ""
    slots = await _free_slots(state)
    if slots:
        # Fills the cache of names: for a new day it takes a tenth of a second.
        await asyncio.to_thread(ZoneList, state.language, _first_day(slots), _zone(state.zone).key)
    async with state:
        if load != state._loads:
            return
        state.loading = False
        if slots is None:
            state.failed = True
            state.failures += 1
            with use(BY_ID[state.language]):
                state.problem = network_error()
        elif state.is_open:
            state.slots, state.loaded = slots, True
            if state.step == "time" and state.slot not in dict(slots):
                state.slot, state.slot_start = "", 0
            state._show_a_free_day()
            if slots and state.zone_list_day != _first_day(slots):
                state.zone_list_day = _first_day(slots)


async def _free_slots(state: Any) -> list[FreeSlot] | None:
    """What the provider has free, in order, the visitor's held time included; None where it cannot be had."""
    payload = SlotsRequest(hold=state.hold_name or None)
    try:
        with use(BY_ID[state.language]):
            answer = await provider().meeting_slots(payload, address=state.router.session.client_ip)
    except ProviderError:
        return None
    if not isinstance(answer, Slots):
        return None
    rows = ((slot.id, int(slot.start.timestamp())) for slot in answer.results if SLOT_ID.fullmatch(slot.id))
    return sorted(rows, key=lambda row: row[1])


async def _hold(state: Any, slot: str, *, goes_on: bool = True) -> None:
    """Ask the provider to hold the slot. With `goes_on` the visitor waits for it, and goes on to the form, or is told that it is lost.

    A provider that cannot hold it stops nobody: the slot is then booked directly.
    """
    async with state:
        if state.holding:
            return
        state.holding, state.problem, state.spoken = True, "", ""
        state.hold_name = state.hold_name or secrets.token_urlsafe()
        name = state.hold_name
    with use(BY_ID[state.language]):
        hold_answer = await provider().hold_slot(HoldRequest(slot=slot, hold=name), address=state.router.session.client_ip)
        if isinstance(hold_answer, Refused) and goes_on:
            await _load(state)
        async with state:
            state.holding = False
            if not state.is_open:
                pass
            elif isinstance(hold_answer, Refused):
                state._lose(hold_answer.error.message) if goes_on else state._drop()
            elif hold_answer is None and state.is_held and state.held_slot == slot:
                state.problem = network_error()
            else:
                _settle(state, slot, hold_answer and hold_answer.expires_at, goes_on=goes_on)
    if isinstance(hold_answer, Held) and not state.is_open:
        await _release(state, name)  # closed meanwhile


def _settle(state: MeetingState, slot: str, until: datetime | None, *, goes_on: bool) -> None:
    """The slot is held until then, or for nobody."""
    state.held_slot, state.not_held, state.lapsed = (slot if until else ""), until is None, False
    now = datetime.now(UTC)
    state.hold_seconds = max(0, round((until - now).total_seconds())) if until else 0
    state.held_at = int(now.timestamp() * 1000)
    arrives = goes_on and (state.step != "details" or bool(state.lost))
    state.spoken = "" if arrives or until is None else held_for_longer()
    if goes_on:
        state.step, state.lost = "details", ""
    if arrives:
        state._arrive()


async def _hold_again(state: Any, slot: str) -> None:
    """Hold what the browser's tab remembers; where it is not free any more, say so."""
    async with state:
        if not state.loaded:
            return
        state.step = "details"
        state.choose(slot)
        if not (is_free := state.slot == slot):
            state.slot_start = state.slots[0][1] if state.slots else 0
            with use(BY_ID[state.language]):
                state._lose(problem("slot_gone", "slot"))
    if is_free:
        await _hold(state, slot)


async def _release(state: Any, name: str) -> None:
    await provider().release_hold(ReleaseRequest(hold=name), address=state.router.session.client_ip)


def _slots(rows: Iterable[FreeSlot]) -> list[Slot]:
    return [_slot(identity, start) for identity, start in rows]


def _slot(identity: str, start: int) -> Slot:
    moment = datetime.fromtimestamp(start, UTC)
    return Slot.model_construct(id=identity, start=moment, end=moment)  # no words need the end


def _days(rows: Iterable[FreeSlot], zone: str) -> list[date]:
    return [*slots_by_day(_slots(rows), _zone(zone))]


def _time(identity: str, start: int, zone: str, language: str) -> Time:
    if not identity:
        return Time(id="", start=datetime.fromtimestamp(0, UTC), day="", here="", there="", clocks="")
    with use(BY_ID[language]):
        return time_of(_slot(identity, start), _zone(zone), _host())


def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name or settings().booking_zone)


def _host() -> ZoneInfo:
    return ZoneInfo(settings().booking_zone)


def _first_day(slots: list[FreeSlot]) -> str:
    return datetime.fromtimestamp(slots[0][1], UTC).date().isoformat()

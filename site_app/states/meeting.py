"""The meeting that a visitor books: the free times, their time zone, the chosen time, and the hold on it."""

import asyncio
import secrets
from datetime import UTC, date, datetime
from typing import Literal

import reflex as rx

from site_app.client import ProviderError, provider
from site_app.content.form_words import (
    call_language_for,
    call_languages,
    choose_a_time,
    go_on_with,
    held_for_longer,
    network_error,
)
from site_app.contracts.fields import time_zones
from site_app.contracts.free_times import (
    Day,
    Sheet,
    SlotTime,
    day_of,
    sheet_index,
    sheets_of,
    slots_by_day,
    time_of,
    visitor_zone,
)
from site_app.contracts.meeting import (
    HOLD_ID,
    SLOT_ID,
    Held,
    HoldRequest,
    ReleaseRequest,
    Slots,
    SlotsRequest,
    slot_language,
)
from site_app.contracts.meeting import nearest as nearest_slots
from site_app.contracts.problems import problem as problem_text
from site_app.contracts.reply import Refused
from site_app.core.i18n import use
from site_app.core.i18n.clocks import short_words
from site_app.core.locales import BY_ID, ENGLISH
from site_app.states.meeting_times import (
    FreeSlot,
    ZoneChoice,
    ZoneList,
    days_with_slots,
    first_day,
    host_zone,
    slot_time,
    slots_of,
    zone_info,
)

MeetingLanguage = tuple[str, str]  # a language of calls and its name
BookingStep = Literal["time", "details", "booked"]
_MAX_MESSAGE_LENGTH = 300  # characters


class MeetingState(rx.State):
    """The chosen and the held time. Typed text stays in the browser's form, which receives the slot, the zone and the hold.

    Each load replaces `slots`. Closing the dialog empties it, so that the state of a visitor who has left takes little memory.
    """

    slots: rx.Field[list[FreeSlot]] = rx.field(default_factory=list)
    loading: bool = False
    loaded: bool = False
    failed: bool = False
    failures: int = 0

    language: str = ENGLISH.id
    call_languages: rx.Field[list[MeetingLanguage]] = rx.field(default_factory=list)  # empty if there is only one
    call_language: str = ""
    zone: str = ""
    zone_list_day: str = ""  # the day whose UTC offsets the labels show
    zone_list_zone: str = ""  # always in the list, even under an old name
    shown_day: str = ""
    sheet: int = 0

    is_open: bool = False
    step: BookingStep = "time"
    slot: str = ""
    slot_start: int = 0
    problem: str = ""
    announcement: str = ""  # for screen readers
    focus_requests: int = 0  # each one moves the focus to the heading of the new step …
    focus_language: str = ""  # … on a page in this language

    hold_id: str = ""
    held_slot: str = ""
    is_holding: bool = False
    can_hold: bool = True  # false if the provider does not hold times, or did not reply
    held_at: int = 0  # in milliseconds of Unix time: identifies the newest hold
    hold_seconds: int = 0  # from held_at to the end of the hold
    expired: bool = False

    lost_message: str = ""  # why the time is gone; empty if it is not
    lost_start: int = 0

    _loads: int = 0

    @rx.var
    def sheets(self) -> list[Sheet]:
        """The calendar of the free days."""
        with use(BY_ID[self.language]):
            return sheets_of(slots_of(self.slots), zone_info(self.zone))

    @rx.var
    def free_days(self) -> list[str]:
        return [day.isoformat() for day in days_with_slots(self.slots, self.zone)]

    @rx.var
    def day(self) -> Day:
        """The shown day with its times."""
        by_day = slots_by_day(slots_of(self.slots), zone_info(self.zone))
        same_day = next((slots for day, slots in by_day.items() if day.isoformat() == self.shown_day), [])
        if not same_day:
            return Day(date=date.min, words="", notes=[], times=[])
        with use(BY_ID[self.language]):
            return day_of(same_day, zone_info(self.zone), host_zone())

    @rx.var
    def chosen_time(self) -> SlotTime:
        """The chosen time in words; all empty if no time is chosen."""
        return slot_time(self.slot, self.slot_start, zone=self.zone, language=self.language)

    @rx.var
    def go_on(self) -> str:
        """The text of the button that holds the chosen time."""
        with use(BY_ID[self.language]):
            if not self.slot:
                return go_on_with("")
            return go_on_with(short_words(datetime.fromtimestamp(self.slot_start, UTC), zone_info(self.zone)))

    @rx.var
    def nearest(self) -> list[SlotTime]:
        """The free times closest to the lost one."""
        if not self.lost_message:
            return []
        slots = nearest_slots(slots_of(self.slots), datetime.fromtimestamp(self.lost_start, UTC))
        with use(BY_ID[self.language]):
            return [time_of(slot, zone_info(self.zone), host_zone()) for slot in slots]

    @rx.var
    def zones(self) -> list[ZoneChoice]:
        if not self.zone_list_day or not self.zone_list_zone:
            return []
        return ZoneList(self.language, self.zone_list_day, self.zone_list_zone)

    @rx.var
    def is_held(self) -> bool:
        return self.hold_seconds > 0 and not self.expired

    @rx.event(background=True)
    async def open(self, language: str, browser_zone: str, zone: str, slot: str, hold: str):
        """Called when the dialog opens: loads the times and renews the hold on the time chosen before.

        `zone`, `slot` and `hold` come from the tab's storage, in case the server has lost the state.
        """
        async with self:
            self._begin(language, (self.zone, zone, browser_zone), hold)
            self._set_call_languages(slot)
            slot_to_hold = self.slot
            was_held = self.step == "details" and not self.lost_message
        if slot_to_hold and was_held:
            await self._hold_slot(slot_to_hold)
        await self._load_slots()
        if slot and not slot_to_hold:
            await self._hold_stored_slot(slot)

    @rx.event
    async def close(self):
        """Called when the dialog closes: releases the hold. Waits for the provider, so that the next opening holds only after the release."""
        self.is_open = False
        hold_id = self.hold_id
        self._clear_hold()
        self._clear_slots()
        if hold_id and self.step != "booked":
            await self._release_hold(hold_id)

    @rx.event(background=True)
    async def load(self):
        """Loads the times again. Moves the focus, because the pressed button disappears."""
        async with self:
            self._request_focus()
        await self._load_slots()

    @rx.event
    def show_day(self, day: str):
        if day in self.free_days:
            self.shown_day = day
            self.announcement = self.day.words

    @rx.event
    def show_sheet_of(self, day: str):
        """Turns the calendar to the sheet of a day, for keys that lead beyond the shown sheet."""
        days = days_with_slots(self.slots, self.zone)
        if day in self.free_days:
            self.sheet = sheet_index(days, date.fromisoformat(day))

    @rx.event
    def turn(self, sheets: int):
        """Turns the calendar by a number of sheets, back if it is negative."""
        self.sheet = min(max(self.sheet + sheets, 0), max(len(self.sheets) - 1, 0))

    @rx.event
    def change_zone(self, zone: str):
        if zone in time_zones():
            self.zone = zone
            self._show_a_free_day()

    @rx.event(background=True)
    async def choose_call_language(self, language: str):
        """Shows the times of calls in another language. The hold stays until another time is held."""
        async with self:
            if language not in dict(self.call_languages) or language == self.call_language:
                return
            self.call_language = language
            self._clear_choice()
            self._clear_slots()
            self.lost_message = ""
        await self._load_slots()

    @rx.event
    def choose(self, slot: str):
        self._choose(slot)

    @rx.event(background=True)
    async def hold(self):
        """Holds the chosen time and shows the form. If the time is already held, extends the hold."""
        async with self:
            if not self.slot:
                with use(BY_ID[self.language]):
                    self.problem = choose_a_time()
                return
        await self._hold_slot(self.slot)

    @rx.event(background=True)
    async def extend(self):
        """Extends the current hold, at whatever step the visitor is."""
        if self.held_slot:
            await self._hold_slot(self.held_slot, goes_on=self.step != "time")

    @rx.event
    def expire_hold(self, held_at: int):
        """Called when the browser's countdown ends: marks the hold as expired, unless a newer hold has begun."""
        self.expired = self.expired or held_at == self.held_at

    @rx.event(background=True)
    async def return_to_times(self):
        """Returns to the times. The hold stays until another time is held."""
        async with self:
            self.step = "time"
            self.lost_message = self.problem = self.shown_day = ""
            self._show_a_free_day()
            self._request_focus()
        await self._load_slots()

    @rx.event(background=True)
    async def handle_refusal(self, errors: dict[str, str], code: str):
        """Called when the provider refuses the form. If it is because of its time, offers the nearest times and keeps the form."""
        if code == "call_exists":  # the provider has released the hold
            async with self:
                self._clear_hold()
        message = str(errors.get("slot", ""))[:_MAX_MESSAGE_LENGTH]
        if not message:
            return
        await self._load_slots()
        async with self:
            if self.slot:
                self._show_lost(message)
            else:
                self.problem = message
                self._request_focus()

    @rx.event
    def finish(self):
        """Called when the meeting is booked: clears the hold, which the booking has replaced."""
        self.step = "booked"
        self._clear_hold()
        self._clear_slots()
        self.lost_message = self.hold_id = ""

    @rx.event(background=True)
    async def begin_again(self, language: str):
        """Starts another booking after a finished one."""
        async with self:
            self._begin(language, (self.zone,), "")
            self._set_call_languages("")
            self._request_focus()
        await self._load_slots()

    def _begin(self, language: str, zones: tuple[str, ...], hold: str) -> None:
        self.is_open = True
        self.language = language if language in BY_ID else self.language
        with use(BY_ID[self.language]):
            existing_zones = [zone for zone in zones if zone in time_zones()]
            self.zone = visitor_zone(existing_zones[0] if existing_zones else "", host_zone()).key
        if self.zone_list_zone != self.zone:  # after an assignment of the same zone, Reflex would send all 420 zones again
            self.zone_list_zone = self.zone
        self.hold_id = self.hold_id or (hold if HOLD_ID.fullmatch(hold) else "")
        self.focus_language = ""
        self.is_holding = False
        if self.step == "booked":
            self.step = "time"
            self._clear_choice()

    def _set_call_languages(self, slot: str) -> None:
        """Names the languages of calls in the page's language. Keeps the chosen one, or that of the slot in the tab's storage."""
        with use(BY_ID[self.language]):
            self.call_languages = [*call_languages().items()]
            preferred = self.call_language or (slot_language(slot) if slot else "")
            self.call_language = call_language_for(preferred) if self.call_languages else ""

    def _choose(self, slot: str) -> None:
        """Chooses a free slot; ignores any other."""
        start = dict(self.slots).get(slot)
        if start is not None:
            self.slot = slot
            self.slot_start = start
            self.problem = ""

    def _request_focus(self) -> None:
        self.focus_requests += 1
        self.focus_language = self.language

    def _clear_hold(self) -> None:
        self.held_slot = ""
        self.hold_seconds = 0
        self.expired = False

    def _clear_choice(self) -> None:
        self.slot = ""
        self.slot_start = 0

    def _clear_slots(self) -> None:
        self.slots = []
        self.loaded = False

    def _show_lost(self, message: str) -> None:
        if self.held_slot == self.slot:
            self._clear_hold()  # a hold on another slot is still valid
        self.lost_message = message
        self.lost_start = self.slot_start
        self._clear_choice()
        self._request_focus()

    def _show_a_free_day(self) -> None:
        """Shows the requested day if it has free times, else the day of the chosen time, else the first free day."""
        days = days_with_slots(self.slots, self.zone)
        if not days:
            return
        if self.shown_day not in self.free_days:
            day_of_choice = datetime.fromtimestamp(self.slot_start, zone_info(self.zone)).date()
            self.shown_day = (day_of_choice if day_of_choice in days else days[0]).isoformat()
        self.sheet = sheet_index(days, date.fromisoformat(self.shown_day))

    async def _load_slots(self) -> None:
        """Replaces the free times with the provider's. Ignores the reply if a newer load has started meanwhile."""
        async with self:
            self._loads += 1
            load = self._loads
            self.loading = True
            self.failed = False
            self.problem = ""
        slots = await self._fetch_slots()
        if slots:
            # Fills the cache of names: for a new day it takes a tenth of a second.
            await asyncio.to_thread(ZoneList, self.language, first_day(slots), zone_info(self.zone).key)
        async with self:
            if load != self._loads:
                return
            self.loading = False
            if slots is None:
                self.failed = True
                self.failures += 1
                with use(BY_ID[self.language]):
                    self.problem = network_error()
            elif self.is_open:
                self.slots = slots
                self.loaded = True
                if self.step == "time" and self.slot not in dict(slots):
                    self._clear_choice()
                self._show_a_free_day()
                if slots and self.zone_list_day != first_day(slots):
                    self.zone_list_day = first_day(slots)

    async def _fetch_slots(self) -> list[FreeSlot] | None:
        """Returns the provider's free slots in order, including the visitor's held one, or None if the call fails."""
        payload = SlotsRequest(hold=self.hold_id or None, call_language=self.call_language or ENGLISH.id)
        try:
            with use(BY_ID[self.language]):
                reply = await provider().meeting_slots(payload, client_ip=self.router.session.client_ip)
        except ProviderError:
            return None
        if not isinstance(reply, Slots):
            return None
        rows = ((slot.id, int(slot.start.timestamp())) for slot in reply.results if SLOT_ID.fullmatch(slot.id))
        return sorted(rows, key=lambda row: row[1])

    async def _hold_slot(self, slot: str, *, goes_on: bool = True) -> None:
        """Asks the provider to hold the slot. With `goes_on` the visitor is waiting: shows the form, or says that the time is lost.

        If the provider cannot hold slots, the visitor goes on all the same: the slot is then booked without a hold.
        """
        async with self:
            if self.is_holding:
                return
            self.is_holding = True
            self.problem = self.announcement = ""
            self.hold_id = self.hold_id or secrets.token_urlsafe()
            hold_id = self.hold_id
        with use(BY_ID[self.language]):
            hold_reply = await provider().hold_slot(
                HoldRequest(slot=slot, hold=hold_id), client_ip=self.router.session.client_ip
            )
            if isinstance(hold_reply, Refused) and goes_on:
                await self._load_slots()
            async with self:
                self.is_holding = False
                if self.is_open:
                    self._apply_hold_reply(slot, hold_reply, goes_on=goes_on)
                    return
        if isinstance(hold_reply, Held):
            await self._release_hold(hold_id)  # the dialog was closed meanwhile

    def _apply_hold_reply(self, slot: str, reply: Held | Refused | None, *, goes_on: bool) -> None:
        """Stores the hold, or shows why there is none."""
        if isinstance(reply, Refused) and goes_on:
            self._show_lost(reply.error.message)
        elif isinstance(reply, Refused):
            self._clear_hold()
        elif reply is None and self.is_held and self.held_slot == slot:
            self.problem = network_error()
        else:
            self._store_hold(slot, reply and reply.expires_at, goes_on=goes_on)

    def _store_hold(self, slot: str, until: datetime | None, *, goes_on: bool) -> None:
        """Stores that the slot is held until `until`; None means that it is not held."""
        is_longer = until is not None and until.timestamp() > self.held_at / 1000 + self.hold_seconds + 1
        self.held_slot = slot if until else ""
        self.can_hold = until is not None
        self.expired = False
        now = datetime.now(UTC)
        self.hold_seconds = max(0, round((until - now).total_seconds())) if until else 0
        self.held_at = int(now.timestamp() * 1000)
        is_new_step = goes_on and (self.step != "details" or bool(self.lost_message))
        self.announcement = held_for_longer() if is_longer and not is_new_step else ""
        if goes_on:
            self.step = "details"
            self.lost_message = ""
        if is_new_step:
            self._request_focus()

    async def _hold_stored_slot(self, slot: str) -> None:
        """Holds the slot from the tab's storage, or says that it is gone if it is no longer free."""
        async with self:
            if not self.loaded:
                return
            self.step = "details"
            self._choose(slot)
            is_free = self.slot == slot
            if not is_free:
                self.slot_start = self.slots[0][1] if self.slots else 0
                with use(BY_ID[self.language]):
                    self._show_lost(problem_text("slot_gone", "slot"))
        if is_free:
            await self._hold_slot(slot)

    async def _release_hold(self, hold_id: str) -> None:
        await provider().release_hold(ReleaseRequest(hold=hold_id), client_ip=self.router.session.client_ip)

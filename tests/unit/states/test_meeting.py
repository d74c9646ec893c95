"""Choosing and holding a time, with every kind of reply from the provider."""

import asyncio
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from site_app.client import ProviderError
from site_app.content import form_words
from site_app.contracts.meeting import Held, HoldRequest, ReleaseRequest, Slot, SlotRefused, Slots, SlotsRequest
from site_app.contracts.reply import Refusal
from site_app.core.settings import Settings
from site_app.states import meeting
from site_app.states.meeting import MeetingState
from tests.support.states import Visitor

pytestmark = pytest.mark.anyio

NOON = datetime(2030, 1, 2, 12, tzinfo=UTC)  # a Wednesday
SLOT_TAKEN = "Someone got there first"


def slot(name: str, start: datetime = NOON) -> Slot:
    return Slot(id=name, start=start, end=start + timedelta(minutes=30))


WEEK = [slot(f"slot{at}", NOON + timedelta(days=at)) for at in range(5)]


class BookingProvider:
    """Has free slots and holds all but the `taken`; `can_hold` is None for a provider without that call."""

    def __init__(self) -> None:
        self.free: list[Slot] | ProviderError = [*WEEK]
        self.taken: set[str] = set()
        self.can_hold = True
        self.held: list[str] = []
        self.released: list[str] = []
        self.languages: list[str] = []
        self.gate: asyncio.Event | None = None
        self.last_end = datetime.max.replace(tzinfo=UTC)  # of all holds

    async def meeting_slots(self, payload: SlotsRequest, *, client_ip: str) -> Slots:
        self.languages.append(payload.call_language)
        if isinstance(self.free, ProviderError):
            raise self.free
        return Slots(results=[slot for slot in self.free if slot.id not in self.taken])

    async def hold_slot(self, payload: HoldRequest, *, client_ip: str) -> Held | SlotRefused | None:
        if self.gate:
            await self.gate.wait()
        if payload.slot in self.taken:
            return SlotRefused(error=Refusal(code="slot_taken", message=SLOT_TAKEN))
        if not self.can_hold:
            return None
        self.held.append(payload.slot)
        expires_at = min(datetime.now(UTC) + timedelta(minutes=10), self.last_end)
        return Held(hold=payload.hold or "", slot=slot(payload.slot), expires_at=expires_at)

    async def release_hold(self, payload: ReleaseRequest, *, client_ip: str) -> None:
        self.released.append(payload.hold)


class Booker(Visitor[MeetingState]):
    """A visitor who books a meeting."""

    def __init__(self) -> None:
        super().__init__(MeetingState)

    async def open(self, *, language: str = "en", zone: str = "", slot: str = "", hold: str = "") -> None:
        await self.run(MeetingState.open, language, "Asia/Bangkok", zone, slot, hold)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> BookingProvider:
    fake = BookingProvider()
    monkeypatch.setattr(meeting, "provider", lambda: fake)
    return fake


@pytest.fixture
async def visitor(provider: BookingProvider) -> Booker:
    new_visitor = Booker()
    await new_visitor.open()
    return new_visitor


@pytest.fixture
async def holder(visitor: Booker) -> Booker:
    visitor.state.choose("slot1")
    await visitor.run(MeetingState.hold)
    return visitor


async def test_the_list_of_slots_starts_empty_and_each_load_replaces_it(provider: BookingProvider) -> None:
    visitor = Booker()
    assert visitor.state.slots == []

    await visitor.open()
    assert [row[0] for row in visitor.state.slots] == [slot.id for slot in WEEK]
    provider.free = WEEK[3:]
    await visitor.run(MeetingState.load)

    assert [row[0] for row in visitor.state.slots] == ["slot3", "slot4"]


@pytest.mark.parametrize("event", [MeetingState.load, MeetingState.return_to_times])
async def test_events_before_opening_do_nothing(provider: BookingProvider, event: Any) -> None:
    visitor = Booker()

    await visitor.run(event)

    assert visitor.state.slots == []
    assert visitor.state.zones == []


async def test_days_and_times_are_in_the_language_and_on_the_clock_of_the_page(visitor: Booker) -> None:
    assert (visitor.state.day.words, visitor.state.day.times[0].clocks) == (
        "Wednesday 2 January 2030",
        "19:00 Bangkok · 12:00 London",
    )

    await visitor.open(language="th")
    assert "มกราคม" in visitor.state.day.words
    visitor.state.change_zone("Pacific/Kiritimati")

    assert visitor.state.day.times[0].visitor_time == "02:00"
    assert visitor.state.free_days[0] == "2030-01-03"


async def test_a_failed_load_is_reported_and_the_next_one_clears_it(provider: BookingProvider) -> None:
    visitor, provider.free = Booker(), ProviderError()
    await visitor.open()
    assert (visitor.state.failed, visitor.state.loading, visitor.state.loaded) == (True, False, False)

    provider.free = WEEK
    await visitor.run(MeetingState.load)

    assert (visitor.state.failed, visitor.state.loaded, visitor.state.problem) == (False, True, "")


async def test_going_on_without_a_time_asks_for_one(visitor: Booker, provider: BookingProvider) -> None:
    await visitor.run(MeetingState.hold)

    assert visitor.state.problem
    assert (visitor.state.step, provider.held) == ("time", [])


async def test_a_chosen_time_is_held_for_as_long_as_the_provider_says(holder: Booker, provider: BookingProvider) -> None:
    assert provider.held == ["slot1"]
    assert (holder.state.step, holder.state.chosen_time.id, holder.state.is_held) == ("details", "slot1", True)
    assert 590 <= holder.state.hold_seconds <= 600

    holder.state.expire_hold(holder.state.held_at - 1)
    assert holder.state.is_held
    holder.state.expire_hold(holder.state.held_at)

    assert not holder.state.is_held


async def test_a_provider_without_holds_stops_no_booking(visitor: Booker, provider: BookingProvider) -> None:
    provider.can_hold = False
    visitor.state.choose("slot1")

    await visitor.run(MeetingState.hold)

    assert (visitor.state.step, visitor.state.slot, visitor.state.can_hold, visitor.state.is_held) == (
        "details",
        "slot1",
        False,
        False,
    )


async def test_a_lost_time_is_replaced_by_the_nearest(visitor: Booker, provider: BookingProvider) -> None:
    visitor.state.choose("slot2")
    provider.taken = {"slot2"}

    await visitor.run(MeetingState.hold)

    assert (visitor.state.step, visitor.state.lost_message, visitor.state.slot) == ("time", SLOT_TAKEN, "")
    assert [time.id for time in visitor.state.nearest] == ["slot0", "slot1", "slot3"]


async def test_a_lost_time_keeps_the_form_open_and_another_can_be_held(holder: Booker, provider: BookingProvider) -> None:
    provider.taken = {"slot1"}

    await holder.run(MeetingState.handle_refusal, {"slot": SLOT_TAKEN}, "slot_taken")
    assert (holder.state.step, holder.state.lost_message, holder.state.slot, holder.state.is_held) == (
        "details",
        SLOT_TAKEN,
        "",
        False,
    )
    holder.state.choose("slot2")
    await holder.run(MeetingState.hold)

    assert (holder.state.step, holder.state.lost_message, holder.state.chosen_time.id, holder.state.is_held) == (
        "details",
        "",
        "slot2",
        True,
    )


@pytest.mark.parametrize(("code", "is_held"), [("call_exists", False), ("invalid", True)])
async def test_a_hold_that_the_provider_has_released_is_not_shown(holder: Booker, code: str, is_held: bool) -> None:
    await holder.run(MeetingState.handle_refusal, {}, code)

    assert (holder.state.step, holder.state.slot, holder.state.is_held) == ("details", "slot1", is_held)


async def test_looking_at_other_times_keeps_and_extends_the_hold(holder: Booker, provider: BookingProvider) -> None:
    await holder.run(MeetingState.return_to_times)
    holder.state.choose("slot3")

    await holder.run(MeetingState.extend)

    assert provider.held == ["slot1", "slot1"]
    assert (holder.state.step, holder.state.slot, holder.state.held_slot) == ("time", "slot3", "slot1")


@pytest.mark.parametrize(("end", "is_announced"), [(timedelta(minutes=5), False), (timedelta(minutes=10), True)])
async def test_only_a_hold_that_became_longer_is_announced(
    holder: Booker, provider: BookingProvider, end: timedelta, is_announced: bool
) -> None:
    """The provider may leave the end of a hold as it was."""
    holder.state.held_at -= 5 * 60 * 1000
    provider.last_end = datetime.now(UTC) + end

    await holder.run(MeetingState.extend)

    assert bool(holder.state.announcement) == is_announced
    assert holder.state.is_held


async def test_closing_gives_the_time_back_and_opening_holds_it_again(holder: Booker, provider: BookingProvider) -> None:
    await holder.run(MeetingState.close)
    assert provider.released == [holder.state.hold_id]
    assert (holder.state.slots, holder.state.is_held) == ([], False)

    await holder.open()

    assert provider.held == ["slot1", "slot1"]
    assert (holder.state.step, holder.state.is_held) == ("details", True)


async def test_a_hold_that_comes_after_the_dialog_has_closed_is_given_back(visitor: Booker, provider: BookingProvider) -> None:
    provider.gate = asyncio.Event()
    visitor.state.choose("slot1")
    holding = asyncio.ensure_future(visitor.run(MeetingState.hold))
    await asyncio.sleep(0)
    await visitor.run(MeetingState.close)

    provider.gate.set()
    await holding

    assert provider.released == [visitor.state.hold_id] * 2
    assert not visitor.state.is_held


async def test_a_server_that_has_forgotten_holds_again_what_the_tab_remembers(provider: BookingProvider) -> None:
    visitor = Booker()

    await visitor.open(zone="Asia/Tokyo", slot="slot2", hold="a-name-of-our-own")

    assert (visitor.state.step, visitor.state.chosen_time.id, visitor.state.zone, visitor.state.is_held) == (
        "details",
        "slot2",
        "Asia/Tokyo",
        True,
    )
    assert visitor.state.hold_id == "a-name-of-our-own"


async def test_a_remembered_time_that_is_taken_is_shown_as_lost(provider: BookingProvider) -> None:
    visitor, provider.taken = Booker(), {"slot2"}

    await visitor.open(slot="slot2", hold="a-name-of-our-own")

    assert visitor.state.lost_message
    assert (visitor.state.step, visitor.state.slot, len(visitor.state.nearest)) == ("details", "", 3)


async def test_a_booked_call_keeps_its_words_and_the_next_one_begins_anew(holder: Booker, provider: BookingProvider) -> None:
    first = holder.state.hold_id
    holder.state.finish()
    assert (holder.state.step, holder.state.chosen_time.id, holder.state.slots) == ("booked", "slot1", [])

    await holder.run(MeetingState.close)
    await holder.run(MeetingState.begin_again, "en")

    assert provider.released == []
    assert (holder.state.step, holder.state.slot, len(holder.state.slots)) == ("time", "", len(WEEK))
    assert holder.state.hold_id != first


@pytest.mark.parametrize(
    "forge",
    [
        lambda state: state.choose("x" * 1000),
        lambda state: state.show_day("2030-13-45"),
        lambda state: state.show_sheet_of("x"),
        lambda state: state.turn(99),
        lambda state: state.turn(-99),
        lambda state: state.change_zone("Mars/Olympus"),
        lambda state: state.expire_hold(1),
    ],
)
async def test_a_forged_booking_event_changes_nothing(visitor: Booker, forge: Callable[[Any], None]) -> None:
    shown_before = visitor.state.day, visitor.state.sheet, visitor.state.slot, visitor.state.zone

    forge(visitor.state)

    assert (visitor.state.day, visitor.state.sheet, visitor.state.slot, visitor.state.zone) == shown_before


async def test_an_invalid_hold_id_is_not_kept(provider: BookingProvider) -> None:
    visitor = Booker()

    await visitor.open(language="xx", zone="y" * 1000, slot="z" * 1000, hold="no name of a hold")

    assert (visitor.state.language, visitor.state.zone, visitor.state.hold_id) == ("en", "Asia/Bangkok", "")


async def test_a_visitor_who_has_left_takes_up_little_room(provider: BookingProvider) -> None:
    provider.free = [slot(f"{at:014}", NOON + timedelta(minutes=30 * at)) for at in range(350)]
    visitor = Booker()
    await visitor.open()
    zones = visitor.state.zones
    pickled = pickle.dumps(visitor.state)
    assert pickle.loads(pickled).zones == zones
    assert len(pickled) < 20_000

    await visitor.run(MeetingState.close)

    assert len(pickle.dumps(visitor.state)) < 2000


async def test_the_button_says_what_comes_next_in_the_language_of_the_page() -> None:
    state = MeetingState()
    state.zone = "Europe/London"
    texts = [state.go_on]

    state.slot, state.slot_start = "slot0", int(NOON.timestamp())
    texts.append(state.go_on)
    state.language = "cn"
    texts.append(state.go_on)

    assert texts == ["Continue", "Continue: Wed 12:00", "继续：周三 12:00"]


@pytest.fixture
def several_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(booking_languages=("th Siriporn Chaiyasit",))
    monkeypatch.setattr(form_words, "settings", lambda: settings)


@pytest.mark.usefixtures("several_languages")
async def test_times_follow_the_language_of_the_call(provider: BookingProvider) -> None:
    visitor = Booker()
    await visitor.open()
    assert (visitor.state.call_languages, visitor.state.call_language) == ([("en", "English"), ("th", "Thai")], "en")
    visitor.state.choose("slot1")

    provider.free = [slot("20300102T1200Z-th")]
    await visitor.run(MeetingState.choose_call_language, "th")
    await visitor.run(MeetingState.choose_call_language, "cn")  # no calls in it

    assert (visitor.state.call_language, visitor.state.slot, [row[0] for row in visitor.state.slots]) == (
        "th",
        "",
        ["20300102T1200Z-th"],
    )
    assert provider.languages == ["en", "th"]


@pytest.mark.usefixtures("several_languages")
@pytest.mark.parametrize(
    ("language", "slot_of_tab", "call_language"),
    [("en", "", "en"), ("th", "", "th"), ("cn", "", "en"), ("en", "20300102T1200Z-th", "th"), ("th", "20300102T1200Z", "en")],
)
async def test_the_first_language_is_that_of_the_stored_time_or_the_page(
    provider: BookingProvider, language: str, slot_of_tab: str, call_language: str
) -> None:
    visitor = Booker()

    await visitor.open(language=language, slot=slot_of_tab)

    assert visitor.state.call_language == call_language


async def test_with_one_language_the_visitor_has_no_choice(visitor: Booker, provider: BookingProvider) -> None:
    assert (visitor.state.call_languages, visitor.state.call_language, provider.languages) == ([], "", ["en"])

"""Choosing and holding a time, with every kind of reply from the provider."""

import asyncio
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from site_app.client import ProviderError
from site_app.content import form_words
from site_app.contracts.meeting import Held, HoldRequest, ReleaseRequest, Slot, SlotRefused, Slots, SlotsRequest
from site_app.contracts.reply import Refusal
from site_app.core.settings import Settings
from site_app.states import meeting
from site_app.states.meeting import MeetingState

pytestmark = pytest.mark.anyio

NOON = datetime(2030, 1, 2, 12, tzinfo=UTC)  # a Wednesday
SLOT_TAKEN = "Somebody was faster"


def slot(name: str, start: datetime = NOON) -> Slot:
    return Slot(id=name, start=start, end=start + timedelta(minutes=30))


WEEK = [slot(f"slot{at}", NOON + timedelta(days=at)) for at in range(5)]


class FakeProvider:
    """Has free slots and holds all but the `taken`; `can_hold` is None for a provider without that call."""

    def __init__(self) -> None:
        self.free: list[Slot] | ProviderError = [*WEEK]
        self.taken: set[str] = set()
        self.can_hold = True
        self.held: list[str] = []
        self.released: list[str] = []
        self.languages: list[str] = []
        self.gate: asyncio.Event | None = None

    async def meeting_slots(self, payload: SlotsRequest, *, address: str) -> Slots:
        self.languages.append(payload.call_language)
        if isinstance(self.free, ProviderError):
            raise self.free
        return Slots(results=[slot for slot in self.free if slot.id not in self.taken])

    async def hold_slot(self, payload: HoldRequest, *, address: str) -> Held | SlotRefused | None:
        if self.gate:
            await self.gate.wait()
        if payload.slot in self.taken:
            return SlotRefused(error=Refusal(code="slot_taken", message=SLOT_TAKEN))
        if not self.can_hold:
            return None
        self.held.append(payload.slot)
        return Held(hold=payload.hold or "", slot=slot(payload.slot), expires_at=datetime.now(UTC) + timedelta(minutes=10))

    async def release_hold(self, payload: ReleaseRequest, *, address: str) -> None:
        self.released.append(payload.hold)


class Visitor:
    """A MeetingState as its background handlers see it, with a lock and an address."""

    def __init__(self) -> None:
        vars(self)["state"] = MeetingState()
        vars(self)["router"] = SimpleNamespace(session=SimpleNamespace(client_ip="203.0.113.9"))

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["state"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["state"], name, value)

    async def __aenter__(self) -> "Visitor":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def does(self, event: str, *payload: Any) -> None:
        await getattr(MeetingState, event).fn(self, *payload)

    async def open(self, *, language: str = "en", zone: str = "", slot: str = "", hold: str = "") -> None:
        await self.does("open", language, "Asia/Bangkok", zone, slot, hold)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    fake = FakeProvider()
    monkeypatch.setattr(meeting, "provider", lambda: fake)
    return fake


@pytest.fixture
async def visitor(provider: FakeProvider) -> Visitor:
    new_visitor = Visitor()
    await new_visitor.open()
    return new_visitor


@pytest.fixture
async def holder(visitor: Visitor) -> Visitor:
    visitor.choose("slot1")
    await visitor.does("hold")
    return visitor


async def test_the_list_of_slots_starts_empty_and_each_load_replaces_it(provider: FakeProvider) -> None:
    visitor = Visitor()
    assert visitor.slots == []

    await visitor.open()
    assert [row[0] for row in visitor.slots] == [slot.id for slot in WEEK]
    provider.free = WEEK[3:]
    await visitor.does("load")

    assert [row[0] for row in visitor.slots] == ["slot3", "slot4"]


@pytest.mark.parametrize("event", ["load", "return_to_times"])
async def test_events_before_opening_do_nothing(provider: FakeProvider, event: str) -> None:
    visitor = Visitor()

    await visitor.does(event)

    assert visitor.slots == []
    assert visitor.zones == []


async def test_days_and_times_are_in_the_language_and_on_the_clock_of_the_page(visitor: Visitor) -> None:
    assert (visitor.day.words, visitor.day.times[0].clocks) == ("Wednesday 2 January 2030", "19:00 Bangkok · 12:00 London")

    await visitor.open(language="th")
    assert "มกราคม" in visitor.day.words
    visitor.change_zone("Pacific/Kiritimati")

    assert visitor.day.times[0].visitor_time == "02:00"
    assert visitor.free_days[0] == "2030-01-03"


async def test_a_failed_load_is_reported_and_the_next_one_clears_it(provider: FakeProvider) -> None:
    visitor, provider.free = Visitor(), ProviderError()
    await visitor.open()
    assert (visitor.failed, visitor.loading, visitor.loaded) == (True, False, False)

    provider.free = WEEK
    await visitor.does("load")

    assert (visitor.failed, visitor.loaded, visitor.problem) == (False, True, "")


async def test_going_on_without_a_time_asks_for_one(visitor: Visitor, provider: FakeProvider) -> None:
    await visitor.does("hold")

    assert visitor.problem
    assert (visitor.step, provider.held) == ("time", [])


async def test_a_chosen_time_is_held_for_as_long_as_the_provider_says(holder: Visitor, provider: FakeProvider) -> None:
    assert provider.held == ["slot1"]
    assert (holder.step, holder.chosen_time.id, holder.is_held) == ("details", "slot1", True)
    assert 590 <= holder.hold_seconds <= 600

    holder.expire_hold(holder.held_at - 1)
    assert holder.is_held
    holder.expire_hold(holder.held_at)

    assert not holder.is_held


async def test_a_provider_without_holds_stops_no_booking(visitor: Visitor, provider: FakeProvider) -> None:
    provider.can_hold = False
    visitor.choose("slot1")

    await visitor.does("hold")

    assert (visitor.step, visitor.slot, visitor.can_hold, visitor.is_held) == ("details", "slot1", False, False)


async def test_a_lost_time_is_replaced_by_the_nearest(visitor: Visitor, provider: FakeProvider) -> None:
    visitor.choose("slot2")
    provider.taken = {"slot2"}

    await visitor.does("hold")

    assert (visitor.step, visitor.lost_message, visitor.slot) == ("time", SLOT_TAKEN, "")
    assert [time.id for time in visitor.nearest] == ["slot0", "slot1", "slot3"]


async def test_a_lost_time_keeps_the_form_open_and_another_can_be_held(holder: Visitor, provider: FakeProvider) -> None:
    provider.taken = {"slot1"}

    await holder.does("lose_slot", {"slot": SLOT_TAKEN})
    assert (holder.step, holder.lost_message, holder.slot, holder.is_held) == ("details", SLOT_TAKEN, "", False)
    holder.choose("slot2")
    await holder.does("hold")

    assert (holder.step, holder.lost_message, holder.chosen_time.id, holder.is_held) == ("details", "", "slot2", True)


async def test_looking_at_other_times_keeps_and_extends_the_hold(holder: Visitor, provider: FakeProvider) -> None:
    await holder.does("return_to_times")
    holder.choose("slot3")

    await holder.does("extend")

    assert provider.held == ["slot1", "slot1"]
    assert (holder.step, holder.slot, holder.held_slot) == ("time", "slot3", "slot1")


async def test_closing_gives_the_time_back_and_opening_holds_it_again(holder: Visitor, provider: FakeProvider) -> None:
    await holder.does("close")
    assert provider.released == [holder.hold_id]
    assert (holder.slots, holder.is_held) == ([], False)

    await holder.open()

    assert provider.held == ["slot1", "slot1"]
    assert (holder.step, holder.is_held) == ("details", True)


async def test_a_hold_that_comes_after_the_dialog_has_closed_is_given_back(visitor: Visitor, provider: FakeProvider) -> None:
    provider.gate = asyncio.Event()
    visitor.choose("slot1")
    holding = asyncio.ensure_future(visitor.does("hold"))
    await asyncio.sleep(0)
    await visitor.does("close")

    provider.gate.set()
    await holding

    assert provider.released == [visitor.hold_id] * 2
    assert not visitor.is_held


async def test_a_server_that_has_forgotten_holds_again_what_the_tab_remembers(provider: FakeProvider) -> None:
    visitor = Visitor()

    await visitor.open(zone="Asia/Tokyo", slot="slot2", hold="a-name-of-our-own")

    assert (visitor.step, visitor.chosen_time.id, visitor.zone, visitor.is_held) == ("details", "slot2", "Asia/Tokyo", True)
    assert visitor.hold_id == "a-name-of-our-own"


async def test_a_remembered_time_that_is_taken_is_shown_as_lost(provider: FakeProvider) -> None:
    visitor, provider.taken = Visitor(), {"slot2"}

    await visitor.open(slot="slot2", hold="a-name-of-our-own")

    assert visitor.lost_message
    assert (visitor.step, visitor.slot, len(visitor.nearest)) == ("details", "", 3)


async def test_a_booked_call_keeps_its_words_and_the_next_one_begins_anew(holder: Visitor, provider: FakeProvider) -> None:
    first = holder.hold_id
    holder.finish()
    assert (holder.step, holder.chosen_time.id, holder.slots) == ("booked", "slot1", [])

    await holder.does("close")
    await holder.does("begin_again", "en")

    assert provider.released == []
    assert (holder.step, holder.slot, len(holder.slots)) == ("time", "", len(WEEK))
    assert holder.hold_id != first


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
async def test_a_forged_booking_event_changes_nothing(visitor: Visitor, forge: Callable[[Any], None]) -> None:
    state_before = visitor.day, visitor.sheet, visitor.slot, visitor.zone

    forge(visitor)

    assert (visitor.day, visitor.sheet, visitor.slot, visitor.zone) == state_before


async def test_an_invalid_hold_id_is_not_kept(provider: FakeProvider) -> None:
    visitor = Visitor()

    await visitor.open(language="xx", zone="y" * 1000, slot="z" * 1000, hold="no name of a hold")

    assert (visitor.language, visitor.zone, visitor.hold_id) == ("en", "Asia/Bangkok", "")


async def test_a_visitor_who_has_left_takes_up_little_room(provider: FakeProvider) -> None:
    provider.free = [slot(f"{at:014}", NOON + timedelta(minutes=30 * at)) for at in range(350)]
    visitor = Visitor()
    await visitor.open()
    zones = visitor.zones
    pickled = pickle.dumps(vars(visitor)["state"])
    assert pickle.loads(pickled).zones == zones
    assert len(pickled) < 20_000

    await visitor.does("close")

    assert len(pickle.dumps(vars(visitor)["state"])) < 2000


async def test_the_button_says_what_comes_next_in_the_language_of_the_page() -> None:
    state = MeetingState()
    state.zone = "Europe/London"
    texts = [state.go_on]

    state.slot, state.slot_start = "slot0", int(NOON.timestamp())
    texts.append(state.go_on)
    state.language = "cn"
    texts.append(state.go_on)

    assert texts == ["Choose a time", "Continue: Wed 12:00", "继续：周三 12:00"]


@pytest.fixture
def several_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(booking_languages=("th Siriporn Chaiyasit",))
    monkeypatch.setattr(form_words, "settings", lambda: settings)


@pytest.mark.usefixtures("several_languages")
async def test_times_follow_the_language_of_the_call(provider: FakeProvider) -> None:
    visitor = Visitor()
    await visitor.open()
    assert (visitor.call_languages, visitor.call_language) == ([("en", "English"), ("th", "Thai")], "en")
    visitor.choose("slot1")

    provider.free = [slot("20300102T1200Z-th")]
    await visitor.does("choose_call_language", "th")
    await visitor.does("choose_call_language", "cn")  # no calls in it

    assert (visitor.call_language, visitor.slot, [row[0] for row in visitor.slots]) == ("th", "", ["20300102T1200Z-th"])
    assert provider.languages == ["en", "th"]


@pytest.mark.usefixtures("several_languages")
@pytest.mark.parametrize(
    ("language", "slot_of_tab", "call_language"),
    [("en", "", "en"), ("th", "", "th"), ("cn", "", "en"), ("en", "20300102T1200Z-th", "th"), ("th", "20300102T1200Z", "en")],
)
async def test_the_first_language_is_that_of_the_stored_time_or_the_page(
    provider: FakeProvider, language: str, slot_of_tab: str, call_language: str
) -> None:
    visitor = Visitor()

    await visitor.open(language=language, slot=slot_of_tab)

    assert visitor.call_language == call_language


async def test_with_one_language_the_visitor_has_no_choice(visitor: Visitor, provider: FakeProvider) -> None:
    assert (visitor.call_languages, visitor.call_language, provider.languages) == ([], "", ["en"])

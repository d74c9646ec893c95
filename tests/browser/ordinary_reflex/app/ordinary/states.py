"""States as Reflex's documentation writes them: nothing here is registered, listed or marked anywhere."""

import asyncio
import time
from enum import Enum
from typing import Literal, TypedDict

import reflex as rx
from pydantic import BaseModel


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


class Address(BaseModel):
    street: str
    number: int


class CounterState(rx.State):
    count: int = 0
    names: list[str] = ["Ada"]
    prices: dict[str, float] = {"tea": 2.5}

    @rx.var
    def doubled(self) -> int:
        return self.count * 2

    @rx.event
    def increment(self, by: int = 1):
        self.count += by

    @rx.event
    def add_name(self, name: str):
        self.names.append(name)

    @rx.event
    def chain(self):
        self.count = 10
        yield CounterState.increment(5)
        yield rx.set_focus("name")

    @rx.event(background=True)
    async def count_slowly(self):
        for _ in range(3):
            async with self:
                self.count += 1
            await asyncio.sleep(0.01)

    @rx.event
    def leave(self):
        return rx.redirect("/fields")


class FieldsState(rx.State):
    text: str = ""
    amount: int = 3
    choice: str = "a"
    agreed: bool = False
    color: str = "red"
    size: Size = Size.SMALL
    street: str = ""
    sent: dict = {}
    keys: list[str] = []
    left: str = ""
    events: int = 0

    @rx.event
    def set_text(self, value: str):
        self.text = value
        self.events += 1

    @rx.event
    def set_amount(self, value: float):
        self.amount = int(value)

    @rx.event
    def set_choice(self, value: str):
        self.choice = value

    @rx.event
    def set_agreed(self, value: bool):
        self.agreed = value

    @rx.event
    def set_color(self, color: Literal["red", "green"]):
        self.color = color

    @rx.event
    def set_size(self, size: Size):
        self.size = size

    @rx.event
    def move(self, address: Address):
        self.street = f"{address.street} {address.number}"

    @rx.event
    def send(self, form_data: dict):
        self.sent = form_data

    @rx.event
    def press(self, key: str):
        self.keys.append(key)

    @rx.event
    def leave(self, value: str):
        self.left = value


class StoredState(rx.State):
    nickname: str = rx.LocalStorage("nobody")
    shared_name: str = rx.LocalStorage("", name="shared_name", sync=True)
    loaded: bool = False

    @rx.event
    def rename(self, name: str):
        self.nickname = name

    @rx.event
    def share(self, name: str):
        self.shared_name = name

    @rx.event
    def forget(self):
        return rx.remove_local_storage("shared_name")

    @rx.event
    def load(self):
        self.loaded = True


class ThemedState(rx.State):
    days: int = 10
    service: str = "web"
    tab: str = "first"
    draft: str = ""
    notes: list[str] = []

    @rx.event
    def set_days(self, value: list[float]):
        self.days = int(value[0])

    @rx.event
    def set_service(self, value: str):
        self.service = value

    @rx.event
    def set_tab(self, value: str | list[str]):
        self.tab = str(value)

    @rx.event
    def set_draft(self, value: str):
        self.draft = value

    @rx.event
    def keep(self):
        self.notes.append(self.draft)
        self.draft = ""


class ListeningState(rx.State):
    keys: list[str] = []
    pasted: list[tuple[str, str]] = []

    @rx.event
    def press(self, key: str):
        self.keys.append(key)

    @rx.event
    def paste(self, parts: list[tuple[str, str]]):
        self.pasted = parts


class TypingState(rx.State):
    word: str = ""
    story: str = ""
    capitals: str = ""
    count: float = 0
    note: str = ""
    notes: list[str] = []

    @rx.event
    def set_word(self, value: str):
        self.word = value

    @rx.event
    def set_story(self, value: str):
        self.story = value

    @rx.event
    def set_capitals(self, value: str):
        self.capitals = value.upper()

    @rx.event
    def set_count(self, value: float):
        self.count = value

    @rx.event
    def set_note(self, value: str):
        self.note = value

    @rx.event
    def send_note(self, key: str):
        if key == "Enter":
            self.notes.append(self.note)
            self.note = ""


class AddressState(rx.State):
    @rx.var
    def product(self) -> str:
        return self.router.url.query_parameters.get("id", "none")


class ScrollState(rx.State):
    scrolls: int = 0

    @rx.event
    def scroll(self):
        self.scrolls += 1


class LeavingState(rx.State):
    arrivals: int = 0
    departures: int = 0

    @rx.event
    def arrive(self):
        self.arrivals += 1

    @rx.event
    def leave(self):
        self.departures += 1


class ArrivingState(rx.State):
    mounts: int = 0
    loads: int = 0

    @rx.event
    def mount(self):
        self.mounts += 1

    @rx.event
    def load(self):
        self.loads += 1

    @rx.event
    def enter(self):
        return rx.redirect("/arriving")


class UnboundState(rx.State):
    touched: bool = False

    @rx.event
    def touch(self):
        self.touched = True


class PickState(rx.State):
    picked: int = 0

    @rx.event
    def pick(self, count: int):
        self.picked = count


class PointerState(rx.State):
    notes: list[str] = []

    @rx.event
    def note(self, what: str):
        self.notes.append(what)


class PreferenceState(rx.State):
    drink: str = rx.LocalStorage("water")

    @rx.event
    def prefer(self):
        self.drink = "tea"


class MomentState(rx.State):
    icon: str = "wifi"

    @rx.var
    async def greeting(self) -> str:
        preference = await self.get_state(PreferenceState)
        return f"You like {preference.drink}"

    @rx.var(cache=False)
    def nanoseconds(self) -> str:
        return str(time.time_ns())


class Letter(TypedDict):
    word: str


class LetterState(rx.State):
    """Takes a form that has more fields than it reads."""

    sent: str = ""

    @rx.event
    def send(self, form: Letter):
        self.sent = repr(form["word"])

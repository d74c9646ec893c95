"""Startup: the flag, the wait, the two lists."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from site_app import provider
from site_app.provider import ProviderError
from site_app.states import kept, loading, reference
from site_app.states.loading import LoadingState
from site_app.states.meeting_slots import MeetingSlotsState
from site_app.states.reference import ReferenceState

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Row:
    code: str

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        return {"code": self.code}


@dataclass
class FakeDoor:
    """Answers when it is told to: each list has a future."""

    answers: dict[str, "asyncio.Future[list[Row]]"] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def answer(self, name: str) -> "asyncio.Future[list[Row]]":
        return self.answers.setdefault(name, asyncio.get_running_loop().create_future())

    async def countries(self, language: str) -> list[Row]:
        self.asked.append(f"countries {language}")
        return await self.answer("countries")

    async def currencies(self, language: str) -> list[Row]:
        self.asked.append(f"currencies {language}")
        return await self.answer("currencies")

    async def meeting_slots(self) -> list[Row]:
        return await self.answer("meeting_slots")


class FakeState:
    """What a background handler sees of its state: fields, a lock, the page's address, the other states."""

    def __init__(self, path: str = "/", **values: Any) -> None:
        self.router = SimpleNamespace(url=SimpleNamespace(path=path))
        self.history: list[bool] = []
        self.reference = ReferenceState()
        self.__dict__.update(values)

    async def __aenter__(self) -> "FakeState":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.history.append(getattr(self, "loading", False))

    async def get_state(self, _kind: type) -> ReferenceState:
        return self.reference


@pytest.fixture
def fake_door(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDoor]:
    opened = FakeDoor()
    monkeypatch.setattr(provider, "door", lambda: opened)
    kept.forget()
    yield opened
    kept.forget()


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The startup's wait, recorded instead of waited."""
    seconds: list[float] = []

    async def sleep(delay: float) -> None:
        seconds.append(delay)

    monkeypatch.setattr(loading, "asyncio", SimpleNamespace(sleep=sleep))
    return seconds


async def _start(state: FakeState) -> "asyncio.Task[None]":
    task: asyncio.Task[None] = asyncio.ensure_future(LoadingState.start.fn(state))  # pyright: ignore
    for _ in range(10):
        await asyncio.sleep(0)
    return task


async def test_the_flag_is_on_from_the_start_and_both_lists_are_asked_for_together(
    fake_door: FakeDoor, waited: list[float]
) -> None:
    state = FakeState("/th/faq")

    task = await _start(state)

    assert waited == [2.0]
    assert state.loading
    assert sorted(fake_door.asked) == ["countries th", "currencies th"]
    task.cancel()


async def test_the_flag_goes_off_only_when_both_lists_are_in(fake_door: FakeDoor, waited: list[float]) -> None:
    state = FakeState()
    task = await _start(state)

    fake_door.answer("countries").set_result([Row("GB")])
    for _ in range(10):
        await asyncio.sleep(0)
    still_on = state.loading
    fake_door.answer("currencies").set_result([Row("GBP")])
    await task

    assert still_on
    assert not state.loading
    assert state.reference.countries == [{"code": "GB"}]
    assert state.reference.currencies == [{"code": "GBP"}]


async def test_the_flag_goes_off_at_the_first_failure_and_a_later_list_is_kept(
    fake_door: FakeDoor, waited: list[float]
) -> None:
    state = FakeState()
    task = await _start(state)

    fake_door.answer("countries").set_exception(ProviderError())
    for _ in range(10):
        await asyncio.sleep(0)
    off_already = not state.loading
    fake_door.answer("currencies").set_result([Row("GBP")])
    await task

    assert off_already
    assert state.reference.countries == []
    assert state.reference.currencies == [{"code": "GBP"}]


async def test_lists_are_asked_for_once_per_process(fake_door: FakeDoor, waited: list[float]) -> None:
    fake_door.answer("countries").set_result([Row("GB")])
    fake_door.answer("currencies").set_result([Row("GBP")])

    await (await _start(FakeState()))
    await (await _start(second := FakeState()))

    assert len(fake_door.asked) == 2
    assert second.reference.countries is not None
    assert second.reference.countries == [{"code": "GB"}]


async def test_an_answer_without_rows_is_an_empty_list(fake_door: FakeDoor, waited: list[float]) -> None:
    fake_door.answer("countries").set_result([])
    fake_door.answer("currencies").set_result([])
    state = FakeState()

    await (await _start(state))

    assert state.reference.countries == []
    assert not state.loading


async def test_loading_slots_replaces_the_list(fake_door: FakeDoor) -> None:
    state = FakeState(meeting_slots=[{"code": "old"}], failed=True)
    fake_door.answer("meeting_slots").set_result([Row("new")])

    await MeetingSlotsState.load.fn(state)  # pyright: ignore

    assert state.meeting_slots == [{"code": "new"}]
    assert not state.failed


async def test_slots_that_cannot_be_loaded_leave_the_old_list_and_say_so(fake_door: FakeDoor) -> None:
    state = FakeState(meeting_slots=[{"code": "old"}])
    fake_door.answer("meeting_slots").set_exception(ProviderError())

    await MeetingSlotsState.load.fn(state)  # pyright: ignore

    assert state.meeting_slots == [{"code": "old"}]
    assert state.failed


async def test_a_form_that_opens_early_loads_at_once(fake_door: FakeDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    state = FakeState("/cn")
    fake_door.answer("countries").set_result([Row("GB")])
    fake_door.answer("currencies").set_exception(ProviderError())

    await ReferenceState.load.fn(state)  # pyright: ignore

    assert state.countries_in == "cn"
    assert not hasattr(state, "currencies_in")
    assert reference.kept("countries", "cn") == [{"code": "GB"}]

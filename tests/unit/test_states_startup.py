"""Startup: the flag, the wait, the two lists."""

import asyncio
import pickle
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from site_app.client import ProviderError
from site_app.contracts.answer import Refusal, Refused
from site_app.contracts.lists import Countries, Country, Currencies, Currency
from site_app.i18n import current
from site_app.states import reference
from site_app.states.reference import ReferenceState, SharedList, load_every_list
from tests.unit.faked import FakeState

pytestmark = pytest.mark.anyio

GB = Countries(countries=[Country(code="GB", name="United Kingdom", dial_code="+44", flag="/flags/GB.svg")])
GBP = Currencies(currencies=[Currency(code="GBP", name="Pound Sterling", symbol="£")])
REFUSED = Refused(error=Refusal(code="too_many", message="Too many requests"))


@dataclass
class FakeProvider:
    """Answers when it is told to: each call has a future."""

    answers: dict[str, "asyncio.Future[Any]"] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def answer(self, name: str) -> "asyncio.Future[Any]":
        return self.answers.setdefault(name, asyncio.get_running_loop().create_future())

    async def countries(self) -> Countries | Refused:
        self.asked.append(f"countries {current().id}")
        return await self.answer("countries")

    async def currencies(self) -> Currencies | Refused:
        self.asked.append(f"currencies {current().id}")
        return await self.answer("currencies")


@pytest.fixture
def asked_provider(monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    fake = FakeProvider()
    monkeypatch.setattr(reference, "provider", lambda: fake)
    monkeypatch.setattr(reference, "_shared", {})
    return fake


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The startup's wait, recorded instead of waited."""
    seconds: list[float] = []

    async def sleep(delay: float) -> None:
        seconds.append(delay)

    monkeypatch.setattr(reference, "asyncio", SimpleNamespace(sleep=sleep, as_completed=asyncio.as_completed))
    return seconds


async def _start(state: FakeState) -> "asyncio.Task[None]":
    task: asyncio.Task[None] = asyncio.ensure_future(ReferenceState.start.fn(state))  # pyright: ignore
    for _ in range(10):
        await asyncio.sleep(0)
    return task


async def test_the_flag_is_on_from_the_start_and_both_lists_are_asked_for_together(
    asked_provider: FakeProvider, waited: list[float]
) -> None:
    state = FakeState("/th/faq")

    task = await _start(state)

    assert waited == [2.0]
    assert state.loading
    assert sorted(asked_provider.asked) == ["countries th", "currencies th"]
    task.cancel()


async def test_the_flag_goes_off_only_when_both_lists_are_in(asked_provider: FakeProvider, waited: list[float]) -> None:
    state = FakeState()
    task = await _start(state)

    asked_provider.answer("countries").set_result(GB)
    for _ in range(10):
        await asyncio.sleep(0)
    still_on = state.loading
    asked_provider.answer("currencies").set_result(GBP)
    await task

    assert still_on
    assert not state.loading
    assert state.countries == [("GB", "United Kingdom")]
    assert state.currencies == [("GBP", "Pound Sterling")]


async def test_the_flag_goes_off_at_the_first_failure_and_a_later_list_is_kept(
    asked_provider: FakeProvider, waited: list[float]
) -> None:
    state = FakeState()
    task = await _start(state)

    asked_provider.answer("countries").set_exception(ProviderError())
    for _ in range(10):
        await asyncio.sleep(0)
    off_already = not state.loading
    asked_provider.answer("currencies").set_result(GBP)
    await task

    assert off_already
    assert state.countries == []
    assert state.currencies == [("GBP", "Pound Sterling")]


async def test_lists_are_asked_for_once_per_process(asked_provider: FakeProvider, waited: list[float]) -> None:
    asked_provider.answer("countries").set_result(GB)
    asked_provider.answer("currencies").set_result(GBP)

    await (await _start(FakeState()))
    await (await _start(second := FakeState()))

    assert len(asked_provider.asked) == 2
    assert second.countries is not None
    assert second.countries == [("GB", "United Kingdom")]


async def test_an_answer_without_rows_is_an_empty_list_and_asked_for_again(
    asked_provider: FakeProvider, waited: list[float]
) -> None:
    asked_provider.answer("countries").set_result(Countries())
    asked_provider.answer("currencies").set_result(Currencies())
    state = FakeState()

    await (await _start(state))
    await (await _start(FakeState()))

    assert state.countries == []
    assert not state.loading
    assert len(asked_provider.asked) == 4


async def test_a_refusal_counts_as_a_failure(asked_provider: FakeProvider, waited: list[float]) -> None:
    asked_provider.answer("countries").set_result(REFUSED)
    asked_provider.answer("currencies").set_result(GBP)
    state = FakeState()

    await (await _start(state))

    assert not state.loading
    assert state.countries == []
    assert state.currencies == [("GBP", "Pound Sterling")]


async def test_a_list_asked_for_in_another_language_meanwhile_is_kept(
    asked_provider: FakeProvider, waited: list[float]
) -> None:
    asked_provider.answer("countries").set_result(GB)
    asked_provider.answer("currencies").set_result(GBP)
    state = FakeState("/")
    state.countries_in = "th"

    await (await _start(state))

    assert (state.countries_in, state.currencies_in) == ("th", "en")


async def test_a_language_that_does_not_exist_loads_nothing(asked_provider: FakeProvider) -> None:
    await ReferenceState.load.fn(FakeState(), "xx")  # pyright: ignore

    assert asked_provider.asked == []


async def test_a_form_that_opens_early_loads_at_once(asked_provider: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    state = FakeState("/")  # the address is still the one before
    asked_provider.answer("countries").set_result(GB)
    asked_provider.answer("currencies").set_exception(ProviderError())

    await ReferenceState.load.fn(state, "cn")  # pyright: ignore

    assert state.countries_in == "cn"
    assert state.currencies_in == ""
    assert reference.shared_list("countries", "cn") == [("GB", "United Kingdom")]


async def test_a_visitor_who_comes_from_another_process_finds_the_lists_in_this_one(asked_provider: FakeProvider):
    asked_provider.answer("countries").set_result(GB)
    asked_provider.answer("currencies").set_result(GBP)
    elsewhere = pickle.dumps(SharedList("countries", "th", [("GB", "United Kingdom")]))
    assert pickle.loads(elsewhere) == []

    await load_every_list()

    assert pickle.loads(elsewhere) == [("GB", "United Kingdom")]

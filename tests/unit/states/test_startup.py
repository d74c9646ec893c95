"""Startup: the flag, the wait and the two lists."""

import asyncio
import pickle
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from site_app.client import ProviderError
from site_app.contracts.lists import CountryRows, CurrencyRows, ListRow
from site_app.contracts.reply import Refusal, Refused
from site_app.core.i18n import current
from site_app.states import startup
from site_app.states.startup import SharedList, StartupState, load_every_list
from tests.support.states import Visitor

pytestmark = pytest.mark.anyio

GB = CountryRows(countries=[ListRow(code="GB", name="United Kingdom")])
GBP = CurrencyRows(currencies=[ListRow(code="GBP", name="Pound Sterling")])
REFUSED = Refused(error=Refusal(code="too_many", message="Too many requests"))


@dataclass
class ProviderOnDemand:
    """Answers on demand: each call has a future."""

    replies: dict[str, "asyncio.Future[Any]"] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def reply(self, name: str) -> "asyncio.Future[Any]":
        return self.replies.setdefault(name, asyncio.get_running_loop().create_future())

    def fail(self, name: str, failure: ProviderError | Refused) -> None:
        reply = self.reply(name)
        reply.set_exception(failure) if isinstance(failure, Exception) else reply.set_result(failure)

    async def countries(self) -> CountryRows | Refused:
        self.requests.append(f"countries {current().id}")
        return await self.reply("countries")

    async def currencies(self) -> CurrencyRows | Refused:
        self.requests.append(f"currencies {current().id}")
        return await self.reply("currencies")


@pytest.fixture
def fake_provider(monkeypatch: pytest.MonkeyPatch) -> ProviderOnDemand:
    fake = ProviderOnDemand()
    monkeypatch.setattr(startup, "provider", lambda: fake)
    monkeypatch.setattr(startup, "_shared", {})
    return fake


@pytest.fixture
def recorded_waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Records the startup's wait instead of waiting."""
    seconds: list[float] = []

    async def sleep(delay: float) -> None:
        seconds.append(delay)

    monkeypatch.setattr(startup, "asyncio", SimpleNamespace(sleep=sleep, as_completed=asyncio.as_completed))
    return seconds


async def _start(visitor: Visitor) -> "asyncio.Task[None]":
    task: asyncio.Task[None] = asyncio.ensure_future(visitor.run(StartupState.start))
    for _ in range(10):
        await asyncio.sleep(0)
    return task


async def test_both_lists_load_together_and_loading_ends_with_the_second(
    fake_provider: ProviderOnDemand, recorded_waits: list[float]
) -> None:
    visitor = Visitor(StartupState, "/th/faq")
    state = visitor.state
    task = await _start(visitor)
    assert recorded_waits == [2.0]
    assert sorted(fake_provider.requests) == ["countries th", "currencies th"]

    fake_provider.reply("countries").set_result(GB)
    for _ in range(10):
        await asyncio.sleep(0)
    still_on = state.loading
    fake_provider.reply("currencies").set_result(GBP)
    await task

    assert still_on
    assert not state.loading
    assert state.countries == [("GB", "United Kingdom")]
    assert state.currencies == [("GBP", "Pound Sterling")]


@pytest.mark.parametrize("failure", [ProviderError(), REFUSED], ids=["no reply", "a refusal"])
async def test_loading_ends_at_the_first_failure_and_a_later_list_is_kept(
    fake_provider: ProviderOnDemand, recorded_waits: list[float], failure: Any
) -> None:
    visitor = Visitor(StartupState)
    state = visitor.state
    task = await _start(visitor)

    fake_provider.fail("countries", failure)
    for _ in range(10):
        await asyncio.sleep(0)
    off_already = not state.loading
    fake_provider.reply("currencies").set_result(GBP)
    await task

    assert off_already
    assert state.countries == []
    assert state.currencies == [("GBP", "Pound Sterling")]
    assert state.failures == {"countries": 1}


async def test_visitors_share_the_lists_only_for_some_minutes(
    fake_provider: ProviderOnDemand, recorded_waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = 0.0
    monkeypatch.setattr(startup, "monotonic", lambda: minutes * 60)
    fake_provider.reply("countries").set_result(GB)
    fake_provider.reply("currencies").set_result(GBP)
    await (await _start(first := Visitor(StartupState)))

    minutes = 9
    await (await _start(Visitor(StartupState)))
    shared = len(fake_provider.requests)
    minutes = 11
    fake_provider.replies.clear()
    fake_provider.reply("countries").set_result(CountryRows(countries=[ListRow(code="TH", name="Thailand")]))
    fake_provider.fail("currencies", ProviderError())
    await (await _start(late_visitor := Visitor(StartupState)))

    assert shared == 2
    assert len(fake_provider.requests) == 4
    assert late_visitor.state.countries == [("TH", "Thailand")]
    assert late_visitor.state.currencies == []
    assert first.state.currencies == [("GBP", "Pound Sterling")]  # a visitor keeps the earlier list


async def test_a_reply_without_rows_is_an_empty_list_and_requested_again(
    fake_provider: ProviderOnDemand, recorded_waits: list[float]
) -> None:
    fake_provider.reply("countries").set_result(CountryRows())
    fake_provider.reply("currencies").set_result(CurrencyRows())
    visitor = Visitor(StartupState)

    await (await _start(visitor))
    await (await _start(Visitor(StartupState)))

    assert visitor.state.countries == []
    assert not visitor.state.loading
    assert len(fake_provider.requests) == 4


async def test_a_list_requested_meanwhile_in_another_language_is_kept(
    fake_provider: ProviderOnDemand, recorded_waits: list[float]
) -> None:
    fake_provider.reply("countries").set_result(GB)
    fake_provider.reply("currencies").set_result(GBP)
    visitor = Visitor(StartupState)
    state = visitor.state
    state.countries_in = "th"

    await (await _start(visitor))

    assert (state.countries_in, state.currencies_in) == ("th", "en")


async def test_a_language_that_does_not_exist_loads_nothing(fake_provider: ProviderOnDemand) -> None:
    await Visitor(StartupState).run(StartupState.load, "xx")

    assert fake_provider.requests == []


async def test_a_form_that_opens_early_loads_at_once(fake_provider: ProviderOnDemand, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = Visitor(StartupState, "/")  # the address is still the earlier one
    state = visitor.state
    fake_provider.reply("countries").set_result(GB)
    fake_provider.reply("currencies").set_exception(ProviderError())

    await visitor.run(StartupState.load, "cn")

    assert state.countries_in == "cn"
    assert state.currencies_in == ""
    assert state.failures == {"currencies": 1}
    assert startup.shared_list("countries", "cn") == [("GB", "United Kingdom")]


async def test_a_visitor_who_comes_from_another_process_finds_the_lists_in_this_one(fake_provider: ProviderOnDemand) -> None:
    fake_provider.reply("countries").set_result(GB)
    fake_provider.reply("currencies").set_result(GBP)
    elsewhere = pickle.dumps(SharedList("countries", "th", [("GB", "United Kingdom")]))
    assert pickle.loads(elsewhere) == []

    await load_every_list()

    assert pickle.loads(elsewhere) == [("GB", "United Kingdom")]

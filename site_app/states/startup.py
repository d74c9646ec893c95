"""The startup's loading flag, and what it loads: countries and currencies for selects, shared by a process's visitors for some minutes."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from time import monotonic
from typing import Any, Literal

import reflex as rx

from site_app.client import ProviderError, provider
from site_app.contracts.lists import CountryRows, CurrencyRows
from site_app.core.i18n import BY_ID, LOCALES, use
from site_app.core.settings import settings
from site_app.states.language import spoken

CodeAndName = tuple[str, str]  # a code and its name
ListName = Literal["countries", "currencies"]
SHARED_FOR_SECONDS = 600.0  # a change at the provider reaches a new visitor within ten minutes, without a restart


class SharedList(list[CodeAndName]):
    """A list that this process holds once for everybody; pickled with a visitor's state it is only its name and language."""

    def __init__(self, name: str, language: str, rows: Iterable[CodeAndName] = ()) -> None:
        super().__init__(rows)
        self.key = (name, language)
        self.loaded_at = monotonic()

    @property
    def is_fresh(self) -> bool:
        """False for an empty list, too: the provider is asked again."""
        return bool(self) and monotonic() - self.loaded_at < SHARED_FOR_SECONDS

    def __reduce__(self) -> tuple[Any, ...]:
        return shared_list, self.key


_shared: dict[tuple[str, str], SharedList] = {}


def shared_list(name: str, language: str) -> SharedList:
    """The list as it was loaded last in this process; empty if it was not."""
    return _shared.get((name, language)) or SharedList(name, language)


class StartupState(rx.State):
    """Lists are empty until they are loaded; a visitor's state holds only the language each was loaded in.

    The flag is off in the pre-rendered page; while it is on, the page can be read and used. `failures` counts the failed loads by call:
    the page writes each to the browser's console (`rx.console_log` of a handler needs eval, which the policy forbids).
    """

    loading: bool = False
    countries_in: str = ""
    currencies_in: str = ""
    failures: rx.Field[dict[str, int]] = rx.field(default_factory=dict)

    @rx.var
    def countries(self) -> list[CodeAndName]:
        return shared_list("countries", self.countries_in)

    @rx.var
    def currencies(self) -> list[CodeAndName]:
        return shared_list("currencies", self.currencies_in)

    @rx.event(background=True)
    async def start(self):
        """Set the flag, wait, load countries and currencies together; clear it when both are in or at the first failure.

        A list that arrives after the other has failed is kept, one that a form has asked for meanwhile stays. A failure shows no message.
        """
        async with self:
            self.loading = True
        await asyncio.sleep(settings().startup_delay.total_seconds())
        language = spoken(self).id
        async for name, has_arrived in arriving_lists(language):
            async with self:
                if not has_arrived:
                    self.loading = False
                    self.failures[name] = self.failures.get(name, 0) + 1
                elif not getattr(self, f"{name}_in"):
                    setattr(self, f"{name}_in", language)
        async with self:
            self.loading = False

    @rx.event(background=True)
    async def load(self, language: str):
        """Load at once: for a form that opens before the startup has loaded, or in another language. No message on failure.

        The page names its language: what Reflex knows of the address is still the old one while a page is coming.
        """
        if language not in BY_ID:
            return
        async for name, has_arrived in arriving_lists(language):
            async with self:
                if has_arrived:
                    setattr(self, f"{name}_in", language)
                else:
                    self.failures[name] = self.failures.get(name, 0) + 1


async def arriving_lists(language: str) -> AsyncIterator[tuple[ListName, bool]]:
    """Load both lists together; yield each as it arrives or fails: its name, and whether it is there."""
    for result in asyncio.as_completed([_load("countries", language), _load("currencies", language)]):
        yield await result


async def load_every_list() -> None:
    """Load both lists in every language, so that a visitor who comes from another process finds them in this one."""
    for locale in LOCALES:
        async for _ in arriving_lists(locale.id):
            pass


async def _load(name: ListName, language: str) -> tuple[ListName, bool]:
    if not shared_list(name, language).is_fresh:
        try:
            _shared[name, language] = SharedList(name, language, await _fetched(name, language))
        except ProviderError:
            return name, False  # the client has logged it; the selects offer their built-in lists
    return name, True


async def _fetched(name: ListName, language: str) -> list[CodeAndName]:
    """The list named in that language; raises ProviderError where there is no answer or a refusal.

    Of each row only what a select shows: every visitor gets them, and a socket keeps room for the longest it has sent.
    """
    with use(BY_ID[language]):
        answer = await (provider().countries() if name == "countries" else provider().currencies())
    match answer:
        case CountryRows(countries=rows) | CurrencyRows(currencies=rows):
            return [(row.code, row.name) for row in rows]
        case _:
            raise ProviderError

"""The loading flag of the startup, and the lists it loads for selects: countries and currencies, cached per process for some minutes."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from time import monotonic
from typing import Any

import reflex as rx

from site_app.client import ListName, ProviderError, named_codes, provider
from site_app.core.i18n import use
from site_app.core.locales import BY_ID, LOCALES
from site_app.core.settings import settings
from site_app.states.language import page_locale

CodeAndName = tuple[str, str]  # a code and its name
SHARED_FOR_SECONDS = 600.0  # a change at the provider reaches a new visitor within ten minutes, without a restart


class SharedList(list[CodeAndName]):
    """A list that this process holds once for all visitors. Pickles as its name and language, to keep a visitor's state small."""

    def __init__(self, name: str, language: str, rows: Iterable[CodeAndName] = ()) -> None:
        super().__init__(rows)
        self.key = (name, language)
        self.loaded_at = monotonic()

    @property
    def is_fresh(self) -> bool:
        """False for an empty list, too, so that the provider is asked again."""
        return bool(self) and monotonic() - self.loaded_at < SHARED_FOR_SECONDS

    def __reduce__(self) -> tuple[Any, ...]:
        return shared_list, self.key


_shared: dict[tuple[str, str], SharedList] = {}


def shared_list(name: str, language: str) -> SharedList:
    """Returns the list as this process loaded it last, or an empty list if it has not loaded it yet."""
    return _shared.get((name, language)) or SharedList(name, language)


class StartupState(rx.State):
    """Lists are empty until they are loaded; a visitor's state holds only the language in which each list was loaded.

    The flag is off in the pre-rendered page; while it is on, the page can be read and used. `failures` counts the failed loads by list;
    `CallFailures` in the page logs each as an error in the browser's console.
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
        """Sets the flag, waits, and loads both lists at the same time; clears the flag when both are loaded or at the first failure.

        Stores a list that arrives after the other has failed; keeps a list that a form has loaded meanwhile. A failure shows no message.
        """
        async with self:
            self.loading = True
        await asyncio.sleep(settings().startup_delay.total_seconds())
        language = page_locale(self).id
        async for name, has_arrived in arriving_lists(language):
            async with self:
                if not has_arrived:
                    self.loading = False
                    self.failures[name] = self.failures.get(name, 0) + 1
                elif not self._language_of(name):
                    self._set_language(name, language)
        async with self:
            self.loading = False

    @rx.event(background=True)
    async def load(self, language: str):
        """Loads both lists at once, for a form that opens before the startup has loaded them, or in another language. Shows no message on failure.

        The page passes its language, because during a navigation Reflex still has the address of the previous page.
        """
        if language not in BY_ID:
            return
        async for name, has_arrived in arriving_lists(language):
            async with self:
                if has_arrived:
                    self._set_language(name, language)
                else:
                    self.failures[name] = self.failures.get(name, 0) + 1

    def _language_of(self, name: ListName) -> str:
        return self.countries_in if name == "countries" else self.currencies_in

    def _set_language(self, name: ListName, language: str) -> None:
        if name == "countries":
            self.countries_in = language
        else:
            self.currencies_in = language


async def arriving_lists(language: str) -> AsyncIterator[tuple[ListName, bool]]:
    """Loads both lists at the same time and yields, as each one ends, its name and True if it was loaded."""
    for result in asyncio.as_completed([_load("countries", language), _load("currencies", language)]):
        yield await result


async def load_every_list() -> None:
    """Loads both lists in every language, so that a visitor whose state comes from another process finds them in this one."""
    for locale in LOCALES:
        async for _ in arriving_lists(locale.id):
            pass


async def _load(name: ListName, language: str) -> tuple[ListName, bool]:
    if not shared_list(name, language).is_fresh:
        try:
            _shared[name, language] = SharedList(name, language, await _fetch_list(name, language))
        except ProviderError:
            return name, False  # the client has logged it; the selects offer their built-in lists
    return name, True


async def _fetch_list(name: ListName, language: str) -> list[CodeAndName]:
    """Returns only the code and name of each row, because every visitor gets the lists and a socket keeps a buffer as large as its longest message."""
    with use(BY_ID[language]):
        return await named_codes(provider(), name)

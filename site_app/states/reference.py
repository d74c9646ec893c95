"""The countries and currencies that selects offer."""

import asyncio
from collections.abc import AsyncIterator

import reflex as rx

from site_app.client import ProviderError
from site_app.i18n import BY_ID, LOCALES
from site_app.states.door import ListName, Named, fetch_list
from site_app.states.kept import keep, kept


class ReferenceState(rx.State):
    """Empty until they are loaded; a visitor's state holds only the language each was loaded in."""

    countries_in: str = ""
    currencies_in: str = ""

    @rx.var
    def countries(self) -> list[Named]:
        return kept("countries", self.countries_in)

    @rx.var
    def currencies(self) -> list[Named]:
        return kept("currencies", self.currencies_in)

    @rx.event(background=True)
    async def load(self, language: str):
        """Load at once: for a form that opens before the startup has loaded, or in another language. No message on failure.

        The page names its language: what Reflex knows of the address is still the old one while a page is coming.
        """
        if language not in BY_ID:
            return
        async for name in arriving_lists(language):
            if name:
                async with self:
                    setattr(self, f"{name}_in", language)


async def arriving_lists(language: str) -> AsyncIterator[ListName | None]:
    """Load both lists together; the name of each as it arrives, None for one that does not."""
    for arrival in asyncio.as_completed([_load("countries", language), _load("currencies", language)]):
        try:
            yield await arrival
        except ProviderError:
            yield None  # logged at the door; the selects offer their built-in lists


async def load_every_list() -> None:
    """Load both lists in every language, so that a visitor who comes from another process finds them in this one."""
    for locale in LOCALES:
        async for _ in arriving_lists(locale.id):
            pass


async def take_list(state: rx.State, name: ListName, language: str) -> None:
    """Give a list that has arrived to the visitor of any state, unless a form has asked for one meanwhile."""
    reference = await state.get_state(ReferenceState)
    if not getattr(reference, f"{name}_in"):
        setattr(reference, f"{name}_in", language)


async def _load(name: ListName, language: str) -> ListName:
    if not kept(name, language):  # not yet, or an empty answer: asked again
        keep(name, language, await fetch_list(name, language))
    return name

"""The loading flag, and the startup that sets it."""

import asyncio

import reflex as rx

from site_app.settings import settings
from site_app.states.language import spoken
from site_app.states.reference import arriving_lists, show_list


class LoadingState(rx.State):
    """The flag is off in the pre-rendered page; while it is on, the page can be read and used."""

    loading: bool = False

    @rx.event(background=True)
    async def start(self):
        """Set the flag, wait, load countries and currencies together; clear it when both are in or at the first failure.

        A list that arrives after the other has failed is kept. A failure shows no message.
        """
        async with self:
            self.loading = True
        await asyncio.sleep(settings().startup_delay.total_seconds())
        language = spoken(self).id
        async for name in arriving_lists(language):
            async with self:
                if name:
                    await show_list(self, name, language)
                else:
                    self.loading = False
        async with self:
            self.loading = False

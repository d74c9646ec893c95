"""The free slots for a consultation call."""

import reflex as rx

from site_app.provider import ProviderError
from site_app.states.door import Row, fetch_slots


class MeetingSlotsState(rx.State):
    """Starts empty; `failed` says that the last loading brought no answer."""

    meeting_slots: rx.Field[list[Row]] = rx.field(default_factory=list)
    loading: bool = False
    failed: bool = False

    @rx.event(background=True)
    async def load(self):
        """Replace the list by what the provider offers now; on failure the old one stays."""
        async with self:
            self.loading = True
        try:
            slots = await fetch_slots()
        except ProviderError:
            slots = None
        async with self:
            self.loading, self.failed = False, slots is None
            if slots is not None:
                self.meeting_slots = slots

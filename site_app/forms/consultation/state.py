"""How a booking was answered."""

import asyncio
from typing import Any

import reflex as rx

from site_app.content.booking_words import booked
from site_app.forms.delivery import Answer, deliver
from site_app.forms.view import CONSULTATION

# Longer than the browser waits for it; after that it asks by HTTP, and gets a manage link of its own.
ANSWER_KEPT_SECONDS = 20.0


class ConsultationState(rx.State):
    """Holds nothing that was typed, and the answer, which contains the manage link, only until the browser has it."""

    answer: Answer | None = None

    @rx.event(background=True)
    async def submit(self, said: dict[str, Any], key: str, attempt: int):
        await deliver(self, CONSULTATION, said, key, attempt, sent=booked)
        return ConsultationState.forget(attempt)

    @rx.event(background=True)
    async def forget(self, attempt: int):
        """Keep the answer no longer than the browser may need to fetch it after a lost connection."""
        await asyncio.sleep(ANSWER_KEPT_SECONDS)
        async with self:
            if self.answer and self.answer["attempt"] == attempt:
                self.answer = None

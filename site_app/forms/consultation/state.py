"""How a booking was answered."""

from typing import Any

import reflex as rx

from site_app.contracts.meeting import MeetingRequest
from site_app.forms.delivery import NOTHING, Answer, deliver


class ConsultationState(rx.State):
    """Holds nothing of what was said: the draft stays in the browser, the call goes to the provider."""

    answer: Answer = NOTHING

    @rx.event(background=True)
    async def submit(self, said: dict[str, Any], key: str, attempt: int):
        await deliver(
            self,
            MeetingRequest,
            lambda provider, submission, address: provider.book_meeting(submission, address=address),
            form="consultation",
            said=said,
            key=key,
            attempt=attempt,
        )

"""How a request for a quote was answered."""

from typing import Any

import reflex as rx

from site_app.contracts.quote import QuoteRequest
from site_app.forms.delivery import NOTHING, Answer, deliver


class QuoteState(rx.State):
    """Holds nothing of what was said: the draft stays in the browser, the lead goes to the provider."""

    answer: Answer = NOTHING

    @rx.event(background=True)
    async def submit(self, said: dict[str, Any], key: str, attempt: int):
        await deliver(
            self,
            QuoteRequest,
            lambda provider, submission, address: provider.request_quote(submission, address=address),
            form="quote",
            said=said,
            key=key,
            attempt=attempt,
        )

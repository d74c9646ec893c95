"""How a request for a quote was answered."""

from typing import Any

import reflex as rx

from site_app.contracts.quote import QuoteRequest
from site_app.forms.delivery import Answer, Errand, deliver

ERRAND = Errand(
    "quote", "requestQuote", QuoteRequest, lambda provider, said, address: provider.request_quote(said, address=address)
)


class QuoteState(rx.State):
    """Holds nothing of what was said: the draft stays in the browser, the lead goes to the provider."""

    answer: Answer | None = None

    @rx.event(background=True)
    async def submit(self, said: dict[str, Any], key: str, attempt: int):
        await deliver(self, ERRAND, said, key, attempt)

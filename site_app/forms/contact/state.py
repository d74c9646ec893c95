"""How a message was answered."""

from typing import Any

import reflex as rx

from site_app.contracts.message import Message
from site_app.forms.delivery import Answer, Errand, deliver

ERRAND = Errand("contact", "sendMessage", Message, lambda provider, said, address: provider.send_message(said, address=address))


class ContactState(rx.State):
    """Holds nothing of what was said: the draft stays in the browser, the lead goes to the provider."""

    answer: Answer | None = None

    @rx.event(background=True)
    async def submit(self, said: dict[str, Any], key: str, attempt: int):
        await deliver(self, ERRAND, said, key, attempt)

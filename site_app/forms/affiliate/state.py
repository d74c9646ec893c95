"""How an application to the affiliate program was answered."""

from typing import Any

import reflex as rx

from site_app.contracts.affiliate import AffiliateRequest
from site_app.forms.delivery import Answer, Errand, deliver

ERRAND = Errand(
    "affiliate",
    "submitAffiliateRequest",
    AffiliateRequest,
    lambda provider, said, address: provider.submit_affiliate_request(said, address=address),
)


class AffiliateState(rx.State):
    """Holds nothing of what was said: the draft stays in the browser, the lead goes to the provider."""

    answer: Answer | None = None

    @rx.event(background=True)
    async def submit(self, said: dict[str, Any], key: str, attempt: int):
        await deliver(self, ERRAND, said, key, attempt)

"""Sends a form's submission to the provider, acknowledges it and shows the message."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, TypedDict

import stamina

from site_app.client import ProviderError, provider
from site_app.content.form_words import network_error
from site_app.contracts.reply import Accepted, Refused
from site_app.contracts.submission import SubmissionKind
from site_app.core.i18n import use
from site_app.states.language import page_locale
from site_app.states.snackbar import show_message

_FIELDS_OF_ACCEPTED = {*Accepted.model_fields}


class DeliveryReply(TypedDict):
    """The acknowledgement sent to the browser for the submission with this key."""

    key: str
    attempt: int
    outcome: Literal["", "sent", "refused", "failed"]
    reference: str
    quarantined: bool
    mailed: bool
    code: str
    message: str
    fields: dict[str, str]
    details: dict[str, Any]  # the fields that only this call's reply has


_EMPTY_REPLY = DeliveryReply(
    key="", attempt=0, outcome="", reference="", quarantined=False, mailed=True, code="", message="", fields={}, details={}
)


async def deliver(
    state: Any, kind: SubmissionKind, fields: Any, key: Any, attempt: Any, *, sent_message: Callable[[], str]
) -> None:
    """Sends the fields and acknowledges their key in `state.reply`; ignores arguments of the wrong types.

    Passes the fields on unchanged, because the provider's contract validates them. `sent_message` returns the message about a sent form, in the
    language of the page.
    """
    if not (isinstance(fields, dict) and isinstance(key, str) and type(attempt) is int):
        return
    with use(page_locale(state)):
        reply = await _submit(kind, {**fields, "key": key}, client_ip=state.router.session.client_ip)
        async with state:
            state.reply = reply | {"key": key[:64], "attempt": attempt}
            if reply["outcome"] == "sent":
                await show_message(state, "success", sent_message())
            elif reply["outcome"] == "failed":
                await show_message(state, "error", network_error(), action=f"submit:{kind.name}")


async def _submit(kind: SubmissionKind, fields: dict[str, Any], *, client_ip: str) -> DeliveryReply:
    """Retries while a provider restarts, within the 8 s that the browser waits for a reply: one attempt may take 5 s."""
    with suppress(ProviderError):
        async for attempt in stamina.retry_context(on=ProviderError, attempts=4, timeout=2.5, wait_initial=0.3, wait_jitter=0):
            with attempt:
                return _reply_to(await provider().submit(kind.call, fields, client_ip=client_ip))
    return {**_EMPTY_REPLY, "outcome": "failed"}


def _reply_to(reply: Accepted | Refused) -> DeliveryReply:
    if isinstance(reply, Refused):
        refusal = reply.error
        return {
            **_EMPTY_REPLY,
            "outcome": "refused",
            "code": refusal.code,
            "message": refusal.message,
            "fields": refusal.fields,
        }
    details = reply.model_dump(mode="json", exclude=_FIELDS_OF_ACCEPTED)
    common = {"reference": reply.reference, "quarantined": reply.quarantined, "mailed": reply.mailed}
    return DeliveryReply(**{**_EMPTY_REPLY, "outcome": "sent", **common, "details": details})

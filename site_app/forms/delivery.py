"""From a form's state to the provider and back: the verdict, the call, the acknowledgement, the snackbar."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple, TypedDict

from site_app.content.form_words import network_error, sent
from site_app.contracts.answer import Refused, Taken
from site_app.contracts.submission import Submission
from site_app.forms.problems import verdict
from site_app.i18n import use
from site_app.provider import Provider, ProviderError, provider
from site_app.states.language import spoken
from site_app.states.snackbar import error, success, tell

# A provider that restarts is asked again while the browser, which waits 8 s, still expects an answer.
PAUSES = (0.3, 0.7, 1.2)
LAST_TRY_SECONDS = 2.5  # one that starts now has 5 s more

_COMMON = set(Taken.model_fields)


class Errand(NamedTuple):
    """What a form is for: its name, the API's call that takes it, what it must say, and the door's method for that call."""

    form: str
    call: str
    contract: type[Submission]
    send: Callable[[Provider, Any, str], Awaitable[Taken | Refused]]


class Answer(TypedDict):
    """What the browser is told about the submission of that key."""

    key: str
    attempt: int
    outcome: Literal["", "sent", "refused", "failed"]
    reference: str
    quarantined: bool
    code: str
    message: str
    fields: dict[str, str]
    more: dict[str, Any]  # what this call's answer says beyond all others'


_NOTHING: Answer = {
    "key": "",
    "attempt": 0,
    "outcome": "",
    "reference": "",
    "quarantined": False,
    "code": "",
    "message": "",
    "fields": {},
    "more": {},
}


async def deliver(state: Any, errand: Errand, said: Any, key: Any, attempt: Any) -> None:
    """Send what was said and acknowledge its key in `state.answer`; what is not a submission at all is left alone."""
    if not (isinstance(said, dict) and isinstance(key, str) and type(attempt) is int):
        return
    with use(spoken(state)):
        answer = await _answered(errand, {**said, "key": key}, address=state.router.session.client_ip)
        async with state:
            state.answer = answer | {"key": key[:64], "attempt": attempt}
            if answer["outcome"] == "sent":
                await tell(state, success(sent()))
            elif answer["outcome"] == "failed":
                await tell(state, error(network_error(), action=f"submit:{errand.form}"))


async def _answered(errand: Errand, said: dict[str, Any], *, address: str) -> Answer:
    submission, faults = verdict(errand.contract, said)
    if submission is None:
        return {**_NOTHING, "outcome": "refused", "code": "invalid", "fields": faults}
    try:
        given = await _persistently(lambda: errand.send(provider(), submission, address))
    except ProviderError:
        return {**_NOTHING, "outcome": "failed"}
    if isinstance(given, Taken):
        more = given.model_dump(mode="json", exclude=_COMMON)
        return {**_NOTHING, "outcome": "sent", "reference": given.reference, "quarantined": given.quarantined, "more": more}
    refusal = given.error
    return {**_NOTHING, "outcome": "refused", "code": refusal.code, "message": refusal.message, "fields": refusal.fields}


async def _persistently(ask: Callable[[], Awaitable[Taken | Refused]]) -> Taken | Refused:
    begun = time.monotonic()
    for pause in PAUSES:
        try:
            return await ask()
        except ProviderError:
            if time.monotonic() - begun > LAST_TRY_SECONDS:
                raise
            await asyncio.sleep(pause)
    return await ask()

"""The states of the forms: one for each lead kind and one for calls, made from it."""

import asyncio
from typing import Any

import reflex as rx

from site_app.contracts.kind import SubmissionKind
from site_app.contracts.kinds import KINDS
from site_app.forms.delivery import Answer, deliver
from site_app.forms.view import CONSULTATION

# Longer than the browser waits for an answer; after that it asks by HTTP, and gets a manage link of its own.
ANSWER_KEPT_SECONDS = 20.0


class FormState(rx.State, mixin=True):
    """Holds how a submission was answered and nothing that was typed: the draft stays in the browser, the lead goes to the provider."""

    answer: Answer | None = None


def _state(kind: SubmissionKind) -> type[rx.State]:
    async def submit(self: Any, fields: dict[str, Any], key: str, attempt: int):
        await deliver(self, kind, fields, key, attempt)
        if kind is not CONSULTATION:
            return
        # The answer has the manage link, and is kept only until the browser has it.
        await asyncio.sleep(ANSWER_KEPT_SECONDS)
        async with self:
            if self.answer and self.answer["attempt"] == attempt:
                self.answer = None

    name = f"{kind.name.title().replace('-', '')}State"
    submit.__qualname__, submit.__module__ = f"{name}.submit", __name__
    own = {"__module__": __name__, "__qualname__": name, "submit": rx.event(background=True)(submit)}
    return type(name, (FormState, rx.State), own)


STATES: dict[str, Any] = {kind.name: _state(kind) for kind in (*KINDS, CONSULTATION)}
globals().update({state.__name__: state for state in STATES.values()})  # a state kept in Redis is found again by its name

"""The states of the forms: one for each lead kind, made from it."""

from typing import Any

import reflex as rx

from site_app.forms.delivery import Answer, deliver
from site_app.leads.kind import LeadKind
from site_app.leads.kinds import KINDS


class FormState(rx.State, mixin=True):
    """Holds how a submission was answered and nothing that was typed: the draft stays in the browser, the lead goes to the provider."""

    answer: Answer | None = None


def _state(kind: LeadKind) -> type[rx.State]:
    async def submit(self: Any, said: dict[str, Any], key: str, attempt: int):
        await deliver(self, kind, said, key, attempt)

    name = f"{kind.name.title().replace('-', '')}State"
    submit.__qualname__, submit.__module__ = f"{name}.submit", __name__
    own = {"__module__": __name__, "__qualname__": name, "submit": rx.event(background=True)(submit)}
    return type(name, (FormState, rx.State), own)


STATES = {kind.name: _state(kind) for kind in KINDS}
globals().update({state.__name__: state for state in STATES.values()})  # a state kept in Redis is found again by its name

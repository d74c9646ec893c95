"""The state of each form, and the table of forms. Their markup is in markup.py.

Events name a state by its class and this module: after either is renamed, submissions from pages that were loaded before are refused.
"""

import sys
from asyncio import sleep
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx

from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.kinds.affiliate import AFFILIATE
from site_app.contracts.kinds.message import MESSAGE
from site_app.contracts.kinds.quote import QUOTE
from site_app.contracts.submission import SubmissionKind
from site_app.forms.delivery import DeliveryReply, deliver
from site_app.forms.views import View, affiliate, consultation, message, quote
from site_app.forms.views.consultation import CONSULTATION
from site_app.plugins.static_first import NOT_BUILT

# Longer than the browser waits for a reply; after that it sends by HTTP and gets its own manage link.
REPLY_KEPT_SECONDS = 20.0


class FormState(rx.State, mixin=True):
    """Stores the reply to a submission, but nothing that was typed: the draft stays in the browser, the lead goes to the provider.

    Each form has a state of its own, so that its reply never replaces that of another form.
    """

    kind: ClassVar[SubmissionKind]
    reply: DeliveryReply | None = None

    @rx.event(background=True)
    async def submit(self, fields: dict[str, Any], key: str, attempt: int):
        await deliver(self, self.kind, fields, key, attempt, sent_message=lambda: view_of(self.kind).success_message)


class QuoteState(FormState, rx.State):
    kind: ClassVar = QUOTE


class MessageState(FormState, rx.State):
    kind: ClassVar = MESSAGE


class AffiliateState(FormState, rx.State):
    kind: ClassVar = AFFILIATE


class ConsultationState(FormState, rx.State):
    kind: ClassVar = CONSULTATION

    @rx.event(background=True)
    async def submit(self, fields: dict[str, Any], key: str, attempt: int):
        """Removes the reply once the browser must have received it, because it contains the manage link."""
        await deliver(self, self.kind, fields, key, attempt, sent_message=lambda: view_of(self.kind).success_message)
        await sleep(REPLY_KEPT_SECONDS)
        async with self:
            if self.reply and self.reply["attempt"] == attempt:
                self.reply = None


@dataclass(frozen=True)
class Form:
    """The form of a kind: the function that returns its view in the current language, and the state that sends it."""

    view: Callable[[], View]
    state: type[FormState]


def forms_by_kind(kinds: Iterable[SubmissionKind], *forms: Form) -> dict[str, Form]:
    """Returns each form by the name of its kind. Ends the start with a sentence if a kind has none."""
    by_kind = {form.state.kind.name: form for form in forms}
    for kind in kinds:
        if kind.name not in by_kind:
            state = f"{kind.name.title().replace('-', '')}State"
            module = kind.name.replace("-", "_")
            sys.exit(
                f"{NOT_BUILT}\nThe form {kind.name} has no line in FORMS. Write class {state}(FormState, rx.State) with "
                f"kind: ClassVar = {module.upper()} in site_app/forms/form.py, and add Form({module}.view, {state}) to FORMS there."
            )
    return by_kind


FORMS = forms_by_kind(
    (*LEAD_KINDS, CONSULTATION),
    Form(quote.view, QuoteState),
    Form(message.view, MessageState),
    Form(affiliate.view, AffiliateState),
    Form(consultation.view, ConsultationState),
)


def view_of(kind: SubmissionKind) -> View:
    """Returns the view of a kind in the current language."""
    return FORMS[kind.name].view()

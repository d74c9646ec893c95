"""What all forms are made of: their fields, the trap, the button with its privacy link, and the result."""

from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex_components_core.core.banner import has_connection_errors

from components.browser.sure_form import PATIENCE_MS, SureForm, trap
from components.ui.form_result import FormResult
from components.ui.submit_row import SubmitRow
from site_app.content.form_words import privacy_note, result_words, sending_words, submit_words, trap_label, without_javascript
from site_app.contracts.submission import Submission
from site_app.forms.delivery import Errand
from site_app.forms.problems import rules
from site_app.i18n import current, gap, href
from site_app.settings import settings

_ABOUT_THE_SENDING = frozenset(Submission.model_fields)


@dataclass(frozen=True)
class Result:
    """What takes the form's place; `next` leads on to another dialog, see FormResult."""

    title: str
    text: str
    steps: tuple[str, ...]
    another: str
    next: dict[str, Any] | None = None
    panel: rx.Component | None = None  # what this form alone has to show, below the reference


def sure_form(
    *fields: rx.Component,
    errand: Errand,
    place: str,
    state: Any,
    send: str,
    result: Result,
    action: str = "",
) -> rx.Component:
    """The form of an errand, at a place of its own; `state` delivers it, `action` is where it goes without JavaScript."""
    own = tuple(field for field in errand.contract.model_fields if field not in _ABOUT_THE_SENDING)
    note, link = privacy_note()
    words = result_words(result.title, result.text, result.another)
    return SureForm.create(
        *([] if action else [_without_javascript()]),
        *fields,
        trap(name="website_url", label=trap_label()),
        SubmitRow.create(note, gap(), rx.el.elements.a(link, href=href("/legals/privacy-policy")), words=submit_words(send)),
        FormResult.create(
            *([result.panel] if result.panel else []),
            words=words,
            steps=list(result.steps),
            **({"next": result.next} if result.next else {}),
        ),
        name=errand.form,
        place=place,
        call=errand.call,
        api_key=settings().api_key,
        language=current().id,
        lang_tag=current().tag,
        rules=rules(errand.contract, own),
        words=sending_words(),
        patience=PATIENCE_MS,
        socket_down=has_connection_errors,
        answer=state.answer,
        on_send=state.submit,
        **({"action": action} if action else {}),
    )


def _without_javascript() -> rx.Component:
    """Said before anything is typed into a form that then goes nowhere."""
    text, link = without_javascript()
    return rx.el.noscript(rx.el.p(text, gap(), rx.el.elements.a(link, href=href("/contact-us")), class_name="submit-note"))

"""A form whose submission arrives exactly once, whatever happens to the socket, and the plugin that brings its scripts into a
Reflex build.
"""

from pathlib import Path
from typing import Any

import reflex as rx
from reflex_base.plugins import Plugin

PATIENCE_MS = 8000
FormValues = rx.Var[dict[str, Any]]


def _submission(values: FormValues, key: rx.Var[str], attempt: rx.Var[int]) -> tuple[FormValues, rx.Var[str], rx.Var[int]]:
    return values, key, attempt


class ReliableForm(rx.Component):
    """Its last child takes its place once it has been sent.

    `name` is the draft's, `place` the form's id: a form may be on a page twice. A state acknowledges with `answer`: `key` and
    `attempt` as they came, `outcome` (sent, refused, failed), `reference`, `quarantined`, `mailed`, `code`, `message`, `fields`.
    """

    library = "$/components/reliable_form/reliable_form"
    tag = "ReliableForm"
    name: rx.Var[str]
    place: rx.Var[str]
    action: rx.Var[str]  # where it goes without JavaScript
    api: rx.Var[str]  # the address below which the calls are
    call: rx.Var[str]  # that takes the submission
    token_call: rx.Var[str]  # that gives a token for a form that is opened; empty: there is none
    files_call: rx.Var[str]  # that takes a file, and the field in which their ids are sent; empty: there is none
    api_key: rx.Var[str]
    language: rx.Var[str]
    lang_tag: rx.Var[str]
    rules: rx.Var[dict[str, Any]]  # by field, for check.js
    beside: rx.Var[list[str]]  # fields whose errors are shown by what stands around the form
    around: rx.Var[dict[str, str] | None]  # what stands around the form has chosen; sent and remembered with it
    words: rx.Var[dict[str, str]]  # sent, failed, files, cancelled, notUploaded, cleared, undo
    patience: rx.Var[int]
    socket_down: rx.Var[bool]
    answer: rx.Var[dict[str, Any] | None]
    on_send: rx.EventHandler[_submission]
    on_sent: rx.EventHandler[rx.event.no_args_event_spec]  # it arrived, by whichever way
    on_refuse: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, str])]  # what is wrong with fields beside the form


def honeypot(*, name: str, label: str) -> rx.Component:
    """A field that people do not see and leave empty."""
    return rx.el.div(
        rx.el.label(label, rx.el.input(name=name, tab_index=-1, auto_complete="off")),
        class_name="honeypot",
        aria_hidden="true",
        custom_attrs={"data-honeypot": ""},
    )


class ReliableFormPlugin(Plugin):
    """List it in rx.Config."""

    def get_static_assets(self, **_: Any) -> list[tuple[Path, str | bytes]]:
        folder = Path(__file__).parent
        return [(Path("components/reliable_form") / file.name, file.read_text()) for file in sorted(folder.glob("*.js"))]

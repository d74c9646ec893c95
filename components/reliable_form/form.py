"""The form and its honeypot."""

from typing import Any

import reflex as rx

ACKNOWLEDGEMENT_TIMEOUT_MS = 8000
FormValues = rx.Var[dict[str, Any]]


def _submission(values: FormValues, key: rx.Var[str], attempt: rx.Var[int]) -> tuple[FormValues, rx.Var[str], rx.Var[int]]:
    return values, key, attempt


def _refusal(errors: rx.Var[dict[str, str]], code: rx.Var[str]) -> tuple[rx.Var[dict[str, str]], rx.Var[str]]:
    return errors, code


class ReliableForm(rx.Component):
    """A form; its last child replaces it once it has been sent.

    `name` identifies the draft, `form_id` is the form's HTML id, because a page may contain a form twice. A state acknowledges with `reply`: the
    same `key` and `attempt`, `outcome` (sent, refused, failed), `reference`, `quarantined`, `mailed`, `code`, `message`, `fields`.
    """

    library = "$/components/reliable_form/reliable_form"
    tag = "ReliableForm"
    name: rx.Var[str]
    form_id: rx.Var[str]
    action: rx.Var[str]  # the URL for a submission without JavaScript
    api: rx.Var[str]  # the base URL of the API calls
    call: rx.Var[str]  # the call that takes the submission
    token_call: rx.Var[str]  # the call that returns a token for an opened form; empty: no token
    files_call: rx.Var[str]  # the call that takes a file, and the name of the field with the files' ids; empty: no files
    api_key: rx.Var[str]
    language: rx.Var[str]
    lang_tag: rx.Var[str]
    rules: rx.Var[dict[str, Any]]  # by field, for check.js
    outer_fields: rx.Var[list[str]]  # fields whose errors the component around the form shows
    outer_values: rx.Var[dict[str, str] | None]  # values chosen around the form; sent and stored with it
    words: rx.Var[dict[str, str]]  # sent, failed, files, cancelled, notUploaded, cleared, undo
    timeout_ms: rx.Var[int]  # for the acknowledgement, after which the form sends by HTTP
    socket_down: rx.Var[bool]
    reply: rx.Var[dict[str, Any] | None]
    on_send: rx.EventHandler[_submission]
    on_sent: rx.EventHandler[rx.event.no_args_event_spec]  # the submission arrived, by socket or HTTP
    on_refuse: rx.EventHandler[_refusal]  # receives the errors of the `outer_fields` and the refusal's code


def honeypot(*, name: str, label: str) -> rx.Component:
    """A field that people do not see and leave empty."""
    return rx.el.div(
        rx.el.label(label, rx.el.input(name=name, tab_index=-1, auto_complete="off")),
        class_name="honeypot",
        aria_hidden="true",
        custom_attrs={"data-honeypot": ""},
    )

"""Booking a consultation: the visitor chooses a time, which is held, then fills in the form; a panel confirms the booking."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars import VarData
from reflex_components_core.core.banner import has_connection_errors

from components.booking import BookingVisit
from components.browser import CallFailures
from components.ui.button import button_class
from site_app.content.form_words import booked_words
from site_app.core.i18n import current, own_module
from site_app.forms.booking_steps import booking_steps
from site_app.forms.form import reliable_form
from site_app.forms.views import CONSULTATION
from site_app.states.meeting import MeetingState

_PLACE = "consultation-form"
_CONTEXT = VarData(
    imports={"$/components/reliable_form/context": [ImportVar("useForm")]}, hooks={"const { result } = useForm()": None}
)


def consultation_form() -> rx.Component:
    """The form and the steps before it; the form receives the slot, the zone and the hold."""
    state = MeetingState
    form = reliable_form(
        CONSULTATION,
        place=_PLACE,
        panel=rx.memo(own_module(_booked_call, current(), module="site_app.forms.booked_call"))(),
        on_another=state.begin_again(current().id),
        outer_fields=["slot"],
        outer_values=rx.cond(
            state.is_open,
            {"slot": rx.cond(state.step == "details", state.slot, ""), "hold": state.hold_name, "time_zone": state.zone},
            None,
        ),
        on_sent=state.finish,
        on_refuse=state.lose,
    )
    return rx.el.div(
        BookingVisit.create(
            form=CONSULTATION.name,
            release="/v1.0/releaseHold",
            language=current().id,
            is_open=state.is_open,
            socket_down=has_connection_errors,
            on_open=state.open,
            on_close=state.close,
        ),
        CallFailures.create(counts={"meetingSlots": state.failures}, hydrated=rx.State.is_hydrated),
        booking_steps(),
        rx.el.div(form, class_name="booking-form"),
        rx.el.p(state.spoken, class_name="sr-only", role="status"),
        class_name="booking",
        custom_attrs={"data-step": state.step},
    )


def _booked_call() -> rx.Component:
    """The booking inside the form's result, which may have arrived by HTTP instead of the socket; a remote provider may return fewer details."""
    answer: Any = rx.Var("result?.more", _var_data=_CONTEXT).to(dict)
    words, time = booked_words(), MeetingState.chosen
    return rx.cond(
        answer["day"] & answer["calendar"] & answer["manage_url"] & answer["conferencing_url"],
        rx.el.div(
            rx.el.dl(
                _when(words["when"], answer["slot"].to(dict)["start"], answer["day"], answer["clocks"]),
                rx.el.div(rx.el.dt(words["video"]), rx.el.dd(_outside(answer["conferencing_url"], answer["conferencing_url"]))),
                class_name="booked",
            ),
            rx.el.div(
                rx.el.h4(words["calendar"], class_name="result-subtitle"),
                rx.el.div(
                    rx.el.elements.a(
                        words["file"],
                        href=answer["calendar"].to(dict)["ics"],
                        download="call.ics",
                        class_name=button_class("strong"),
                    ),
                    *[
                        _outside(answer["calendar"].to(dict)[name], label, class_name=button_class("quiet"))
                        for name, label in (("google", "Google Calendar"), ("outlook", "Outlook"))
                    ],
                    class_name="booked-links",
                ),
                rx.el.p(
                    rx.el.elements.a(words["manage"], href=answer["manage_url"], class_name="plain-link"),
                    class_name="booked-manage",
                ),
            ),
            class_name="booked-panel",
        ),
        rx.cond(
            MeetingState.slot != "",
            rx.el.dl(_when(words["when"], time.start.to(str), time.day, time.clocks), class_name="booked"),
        ),
    )


def _when(label: str, start: Any, day: Any, clocks: Any) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label),
        rx.el.dd(rx.el.time(rx.el.strong(day), clocks, date_time=start)),
    )


def _outside(address: Any, words: Any, *, class_name: str = "plain-link") -> rx.Component:
    return rx.el.elements.a(words, href=address, rel="noreferrer", target="_blank", class_name=class_name)

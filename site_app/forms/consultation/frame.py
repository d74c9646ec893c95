"""The form that books a call, but for the choice of its time."""

import reflex as rx

from site_app.content.booking_words import booked
from site_app.forms.consultation.state import CONSULTATION, ConsultationState
from site_app.forms.fields import drawn
from site_app.forms.form import sure_form
from site_app.forms.view import Field, Result
from site_app.i18n import t

PLACE = "consultation-form"


def consultation_frame(*, result: Result) -> rx.Component:
    """Slot, time zone and hold are added by what stands around the form at this place: see slots.py."""
    fields = (
        Field("full_name", autocomplete="name"),
        Field("email", autocomplete="email"),
        Field("phone"),
        Field("company", autocomplete="organization"),
        Field("project_information", help=t("What would you like to talk about?")),
        Field("additional_notes", rows=3),
    )
    return sure_form(
        *[drawn(CONSULTATION, one) for one in fields],
        kind=CONSULTATION,
        place=PLACE,
        state=ConsultationState,
        send=t("Book the call"),
        result=result,
        beside=("slot",),
        sent=booked,
    )

"""The form that books a call, but for the choice of its time."""

import reflex as rx

from site_app.contracts.meeting import MeetingRequest
from site_app.forms.consultation.state import ERRAND, ConsultationState
from site_app.forms.fields import line, lines, phone
from site_app.forms.form import Result, sure_form
from site_app.i18n import t

PLACE = "consultation-form"


def consultation_frame(*, result: Result) -> rx.Component:
    """Slot, time zone and hold are added by what stands around the form at this place: see slots.py."""
    return sure_form(
        line(MeetingRequest, "full_name", autocomplete="name"),
        line(MeetingRequest, "email", autocomplete="email"),
        phone(MeetingRequest),
        line(MeetingRequest, "company", autocomplete="organization"),
        lines(MeetingRequest, "project_information", rows=5, help=t("What would you like to talk about?")),
        lines(MeetingRequest, "additional_notes", rows=3),
        errand=ERRAND,
        place=PLACE,
        state=ConsultationState,
        send=t("Book the call"),
        result=result,
    )

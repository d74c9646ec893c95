"""The form that books a call, around whatever chooses its time."""

import reflex as rx

from site_app.contracts.meeting import MeetingRequest
from site_app.forms.consultation.state import ConsultationState
from site_app.forms.fields import line, lines, phone
from site_app.forms.form import Result, sure_form
from site_app.i18n import t


def consultation_frame(*time: rx.Component, result: Result) -> rx.Component:
    """`time` gives the fields slot, time_zone and hold; the rest of the form is here."""
    return sure_form(
        *time,
        line(MeetingRequest, "full_name", autocomplete="name"),
        line(MeetingRequest, "email", autocomplete="email"),
        phone(MeetingRequest),
        line(MeetingRequest, "company", autocomplete="organization"),
        lines(MeetingRequest, "project_information", rows=5, help=t("What would you like to talk about?")),
        lines(MeetingRequest, "additional_notes", rows=3),
        name="consultation",
        place="consultation-form",
        call="bookMeeting",
        contract=MeetingRequest,
        state=ConsultationState,
        send=t("Book the call"),
        result=result,
    )

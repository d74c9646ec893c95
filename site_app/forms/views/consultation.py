"""The form for booking a consultation: the visitor's details and topic; in its dialog and on the plain booking page."""

from site_app.content.form_words import booked_title, call_languages
from site_app.contracts.meeting import BOOKING_CALL, MeetingRequest
from site_app.contracts.submission import SubmissionKind
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t
from site_app.core.i18n.clocks import lead_time_words
from site_app.core.settings import settings
from site_app.forms.views import Result, View, ViewField

CONSULTATION = SubmissionKind("consultation", BOOKING_CALL, MeetingRequest)  # a booked meeting is not a lead


def view() -> View:
    return View(
        title=t("Free Consultation Call: {minutes} min", minutes=consultation_minutes()),
        fields=(
            ViewField("full_name", autocomplete="name"),
            ViewField("email", autocomplete="email"),
            ViewField("phone", autocomplete="tel"),
            ViewField("company", autocomplete="organization"),
            ViewField(
                "project_information",
                help=t("What would you like to discuss?")
                if call_languages()
                else t("What would you like to discuss, and in which language: English, Thai or Chinese?"),
            ),
            ViewField("additional_notes", rows=3),
            *_guest(),
        ),
        submit_label=t("Book the call"),
        result=Result(
            booked_title(),
            t("Thank you. We’ve emailed you everything you see here."),
            (
                *_reminder(),
                t("When it’s time, open the video call link: there is nothing to install."),
                t(
                    "If your plans change, move or cancel the call at any time before it starts, with the link in our latest email."
                ),
            ),
            t("Book a call for someone else"),
            requires="manage_url",
            mail_step="",
        ),
    )


def _guest() -> tuple[ViewField, ...]:
    # A provider elsewhere may not know the field, and would refuse the booking for it.
    if settings().provider_url:
        return ()
    return (
        ViewField(
            "guest_email",
            autocomplete="off",
            help=t("We email them the invitation, without your name, so tell them to expect it."),
        ),
    )


def _reminder() -> tuple[str, ...]:
    lead_times = settings().booking_reminders
    times = lead_time_words(lead_times)
    if len(lead_times) > 1:
        return (t("We’ll email you reminders {times} before, if you’ve booked that far ahead.", times=times),)
    return (t("We’ll email you a reminder {times} before, if you’ve booked that far ahead.", times=times),) if times else ()

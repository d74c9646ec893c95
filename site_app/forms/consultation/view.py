"""Booking a consultation call: what the dialog holds."""

import reflex as rx

from components.booking.booking import BookedCall
from site_app.forms.consultation.frame import PLACE, consultation_frame
from site_app.forms.consultation.slots import with_time
from site_app.forms.form import Result
from site_app.i18n import t


def consultation_form() -> rx.Component:
    return with_time(consultation_frame(result=_result()), place=PLACE)


def _result() -> Result:
    return Result(
        t("Your call is booked"),
        t("Thank you. We have sent you an email with everything you see here."),
        (
            t("You get a reminder by email the day before."),
            t("At that time, open the link to the video call: there is nothing to install."),
            t("If your plans change, move or cancel the call with the link above, any time before it begins."),
        ),
        t("Book another call"),
        panel=BookedCall.create(),
    )

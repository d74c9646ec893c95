"""Booking a consultation call: what the dialog holds."""

import reflex as rx

from components.booking.booking import BookedCall
from site_app.content.booking_words import booked, booked_words
from site_app.forms.consultation.frame import PLACE, consultation_frame
from site_app.forms.consultation.slots import with_time
from site_app.forms.view import Result
from site_app.i18n import t


def consultation_form() -> rx.Component:
    return with_time(consultation_frame(result=_result()), place=PLACE)


def _result() -> Result:
    return Result(
        booked(),
        t("Thank you. We’ve emailed you everything you see here."),
        (
            t("You’ll get a reminder by email the day before."),
            t("When it’s time, open the video call link: there is nothing to install."),
            t("If your plans change, move or cancel the call with the link above, any time before it starts."),
        ),
        t("Book another call"),
        panel=BookedCall.create(words=booked_words()),
    )

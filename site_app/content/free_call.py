"""The free call: what to bring, what comes of it, and what a visitor can rely on."""

from urllib.parse import urlsplit

from components.words import PointList, PointLists
from site_app.content.invitations import book_call, get_quote
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t
from site_app.core.settings import settings


def free_call() -> PointLists:
    return PointLists(
        heading=t("The free call: {minutes} minutes with our founder", minutes=consultation_minutes()),
        lead=t("A working conversation about your project, whether or not you hire us."),
        items=(
            PointList(
                "plus",
                t("What to bring"),
                (
                    t("The problem in your own words; no slides needed"),
                    t("What you have tried so far, and what you use today"),
                    t("Your budget or your deadline, if there is one"),
                ),
            ),
            PointList(
                "check",
                t("What you get"),
                (
                    t("What we would do first, and what we would leave out"),
                    t("A rough idea of cost and time, or the one question it depends on"),
                    t("Our notes by email within one working day"),
                ),
            ),
            PointList(
                "check",
                t("What you can rely on"),
                (
                    t("Nobody sells you anything or asks you to sign"),
                    t("Nobody passes your details on"),
                    t("Nobody chases you afterwards"),
                ),
            ),
        ),
        note=t(
            "We meet by video at {host}. The link is in your confirmation email and opens in the browser, with nothing to install. If video doesn’t work where you are, we’ll phone you.",
            host=urlsplit(settings().booking_room).hostname or "",
        ),
        actions=(book_call(), get_quote()),
    )

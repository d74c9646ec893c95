"""The texts for choosing, holding and booking a time."""

from typing import Any

from site_app.content.form_words import select_words
from site_app.contracts.labels import label
from site_app.core.i18n import t
from site_app.core.i18n.clocks import week
from site_app.core.settings import settings


def booking_words() -> dict[str, Any]:
    return _choosing() | _holding()


def _choosing() -> dict[str, Any]:
    return {
        "weekdays": week(),
        "step_one": t("Step {step} of {count}", step=1, count=2),
        "step_two": t("Step {step} of {count}", step=2, count=2),
        "choose_time": t("Choose a time"),
        "zone": label("time_zone"),
        "zone_list": select_words(label("time_zone")),
        "loading": t("Loading available times"),
        "earlier": t("Earlier weeks"),
        "later": t("Later weeks"),
        "nearest": t("These are the nearest available times. Everything you typed is still here."),
        "take": t("Choose this time"),
        "all": t("See all times"),
    }


def _holding() -> dict[str, str]:
    return {
        "details": t("Your details"),
        "held": t("Held for you for another"),
        "holding": t("Holding this time for you…"),
        "not_held": t("This time isn’t held for you: someone else could still take it."),
        "keep": t("Hold it for {minutes} more minutes", minutes=_hold_minutes()),
        "keep_short": t("Hold longer"),
        "hold_again": t("Hold it again"),
        "another": t("Choose another time"),
        "soon": t("Your hold on this time is about to run out. Do you need longer?"),
        "lapsed": t("Your time is no longer held, but it may still be available."),
    }


def go_on_with(time: str) -> str:
    """Returns the text of the button that goes on with the chosen time; `time` is empty until there is one."""
    return t("Continue: {time}", time=time) if time else t("Choose a time")


def choose_a_time() -> str:
    return t("Please choose a time")


def held_for_longer() -> str:
    return t("We’re holding this time for you for {minutes} more minutes.", minutes=_hold_minutes())


def booked() -> str:
    return t("Your call is booked")


def _hold_minutes() -> int:
    return round(settings().booking_hold.total_seconds() / 60)


def booked_words() -> dict[str, str]:
    return {
        "when": t("When"),
        "video": t("Video call"),
        "calendar": t("Add to your calendar"),
        "file": t("Calendar file (.ics)"),
        "manage": t("Move or cancel the call"),
    }

"""What is said while the time of a call is chosen, held and booked; what stands in {} is filled in by the browser."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from site_app.content.form_words import network_error, select_words
from site_app.contracts.labels import label
from site_app.i18n import current, t
from site_app.i18n.clocks import weekday_words
from site_app.settings import settings

_MONDAY = datetime(2024, 1, 1, 12, tzinfo=UTC)


def booking_words() -> dict[str, Any]:
    return _clocks() | _choosing() | _holding() | _booked()


def _clocks() -> dict[str, Any]:
    time, place, day = "{time}", "{place}", "{day}"
    return {
        "tag": current().tag,
        "weekdays": [weekday_words(_MONDAY + timedelta(days=at), ZoneInfo("UTC")) for at in range(7)],
        "clock": t("{time} {place}", time=time, place=place),
        "weekdayClock": t("{weekday} {time} {place}", weekday="{weekday}", time=time, place=place),
        "zoneCity": t("{city} ({offset})", city="{city}", offset="{offset}"),
        "zoneCountry": t("{city}, {country} ({offset})", city="{city}", country="{country}", offset="{offset}"),
        "dayClocks": t("{day}, {clocks}", day=day, clocks="{clocks}"),
    }


def _choosing() -> dict[str, Any]:
    place, other, day = "{place}", "{other}", "{day}"
    return {
        "step": t("Step {step} of {count}", step="{step}", count="{count}"),
        "chooseTime": t("Choose a time"),
        "zone": label("time_zone"),
        "zoneList": select_words(label("time_zone")),
        "loading": t("Loading available times"),
        "oneClock": t("All times are {place} time.", place=place),
        "twoClocks": t("Large numbers: {place} time. Small numbers: {other} time.", place=place, other=other),
        "change": t("Clocks in {place} change on {day}. The times shown here already allow for it.", place=place, day=day),
        "more": t("More days"),
        "earlier": t("Earlier weeks"),
        "later": t("Later weeks"),
        "dayFree": t("{day}, available times: {count}", day=day, count="{count}"),
        "goOn": t("Continue with this time"),
        "chooseOne": t("Please choose a time"),
        "nearest": t("These are the nearest available times. Everything you typed is still here."),
        "take": t("Choose this time"),
        "all": t("See all times"),
    }


def _holding() -> dict[str, str]:
    held = round(settings().booking_hold.total_seconds() / 60)
    return {
        "details": t("Your details"),
        "held": t("Held for you for another"),
        "holding": t("Holding this time for you…"),
        "notHeld": t("This time isn’t being held for you right now."),
        "keep": t("Hold it for {minutes} more minutes", minutes=held),
        "keepShort": t("Hold longer"),
        "kept": t("We’re holding this time for you for {minutes} more minutes.", minutes=held),
        "holdAgain": t("Hold it again"),
        "another": t("Choose another time"),
        "soon": t("We can hold your time for only a little longer. Do you need more?"),
        "lapsed": t("Your time is no longer held, but it may still be available."),
        "failed": network_error(),
    }


def booked() -> str:
    return t("Your call is booked")


def _booked() -> dict[str, str]:
    return {
        "when": t("When"),
        "video": t("Video call"),
        "calendar": t("Add to your calendar"),
        "file": t("Calendar file (.ics)"),
        "manage": t("Move or cancel the call"),
    }

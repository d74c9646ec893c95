"""The texts for choosing, holding and booking a time."""

from typing import Any

from site_app.content.form_words import select_words
from site_app.contracts.labels import label
from site_app.core.i18n import ENGLISH, current, enumerated, t
from site_app.core.i18n.clocks import week
from site_app.core.i18n.names import language_name
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
        "call_language": t("Language of the call"),
        "call_language_list": select_words(t("Language of the call")),
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


def call_languages() -> dict[str, str]:
    """Returns the names of the languages that a visitor can choose for a call; empty if there is only one.

    A provider elsewhere is not asked for it, because it may not know the field.
    """
    languages = () if settings().provider_url else settings().call_languages
    return {language: language_name(language) for language in languages} if len(languages) > 1 else {}


def call_language_for(chosen: str) -> str:
    """Returns the chosen language of the call if there are calls in it, else the page's, else English."""
    choices = call_languages()
    return next((language for language in (chosen, current().id) if language in choices), ENGLISH.id)


def spoken_languages() -> str:
    """Returns all languages of calls in a sentence, or an empty text if a visitor has no choice."""
    return enumerated(list(call_languages().values()))


def hosts() -> tuple[str, ...]:
    """Returns who the call is with: the founder, and with several languages the host of each."""
    founder = t("{name}, Founder & CEO", name=settings().brand_founder)
    languages = call_languages()
    if not languages:
        return (founder,)
    return tuple(
        t("{language}: {name}", language=name, name=settings().call_languages[language] or founder)
        for language, name in languages.items()
    )


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

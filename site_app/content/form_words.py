"""The texts of forms: fields, files, sending and its results; choosing, holding and booking a time."""

from typing import Any

from site_app.content.legal_values import months_at_most
from site_app.contracts.fields import MAX_FILES, label
from site_app.core.business import MAX_FILE_MEGABYTES
from site_app.core.i18n import current, in_english, join_with_and, labelled, t
from site_app.core.i18n.clocks import weekday_names
from site_app.core.i18n.names import language_name
from site_app.core.locales import ENGLISH
from site_app.core.settings import settings


def optional_label() -> str:
    return t("optional")


def select_words(label: str) -> dict[str, str]:
    return {
        "choose": t("Please choose"),
        "search": t("Choose, or type to search"),
        "coded": t("{name} ({detail})", name="{name}", detail="{detail}"),
        "list": label,
        "none": t("Nothing found. Try another spelling."),
    }


def file_words() -> dict[str, str]:
    """Returns the texts of the file field; the browser fills in {name}."""
    return {
        "labelled": labelled("{label}", "{value}"),
        "drop": t("Drop files here, or"),
        "choose": t("choose files"),
        "list": t("Chosen files"),
        "sent": t("Uploaded"),
        "missing": t("Your browser doesn’t keep files when a page reloads. Please add this one again, or remove it."),
        "cancel": t("Cancel"),
        "again": t("Try again"),
        "addAgain": t("Add again"),
        "remove": t("Remove"),
        "kind": t("{name} is not a file type we accept. Please choose another file.", name="{name}"),
        "large": t(
            "{name} is larger than {megabytes} MB. Please choose a smaller file.",
            name="{name}",
            megabytes=MAX_FILE_MEGABYTES,
        ),
        "empty": t("{name} is empty. Please choose another file.", name="{name}"),
        "many": t("{name} was not added: {count} files is the maximum.", name="{name}", count=MAX_FILES),
        "tag": current().tag,
    }


def sending_words(success_message: str) -> dict[str, str]:
    """Returns the messages during a submission."""
    return {
        "sent": success_message,
        "failed": network_error(),
        "files": t("Some files could not be uploaded. Try them again, or remove them."),
        "cancelled": t("Cancelled. Try again, or remove it."),
        "notUploaded": t("This file could not be uploaded. Try again, or remove it."),
        "cleared": t("The form has been cleared."),
        "undo": t("Undo"),
    }


def sent_message() -> str:
    return t("Your message has been sent successfully")


def network_error() -> str:
    return t("Network Error")


def submit_words(submit_label: str) -> dict[str, str]:
    return {
        "send": submit_label,
        "sending": t("Sending…"),
        "still": t("This is taking longer than usual. We’re still sending: please keep this page open."),
        "again": t("Try again"),
        "kept": t("Nothing is lost: everything you typed is still here. Check your connection, then try again."),
        "clear": t("Clear form"),
    }


def privacy_note(kind: str) -> tuple[str, str]:
    """Returns the sentence beside the submit button of a form, and the text of its link."""
    months = months_at_most(settings().keep_leads)
    if kind == "affiliate":
        note = t(
            "We use what you send us to consider your application, and keep it for no more than {months} months, unless a dispute needs it longer; if we approve it, we keep what tax and company law require.",
            months=months,
        )
    else:
        note = t(
            "We use what you send us to deal with your request, and keep it for no more than {months} months, unless a contract or a dispute needs it longer.",
            months=months,
        )
    return note, in_english(t("Privacy policy"))


def without_javascript() -> tuple[str, str]:
    """Returns the sentence above a form that only JavaScript can send, and the text of its link."""
    sentence = t("This version of the form needs JavaScript, which your browser isn’t running. You can reach us here instead:")
    return sentence, t("Contact us")


def honeypot_label() -> str:
    return t("Leave this field empty")


def mail_step() -> str:
    """Returns the step that announces the mail."""
    return t("You’ll get an email with this reference.")


def result_words(title: str, text: str, again_label: str, *, mail_step: str) -> dict[str, str]:
    return {
        "title": title,
        "text": text,
        "check": t("Your message has arrived. One last step before we reply: please confirm it came from you."),
        "confirm": t("Open the email we’ve just sent you, follow the link and press the button on the page."),
        "mailed": mail_step,
        "unmailed": unmailed_message(),
        "noMail": no_mail_message(),
        "reference": t("Your reference"),
        "next": t("What happens next"),
        "again": again_label,
    }


def unmailed_message() -> str:
    """Returns the sentence of a result whose sender has received the mails of the day."""
    return t(
        "We’ve reached our daily limit of emails to this address, so you won’t get a confirmation. Please note your reference."
    )


def no_mail_message() -> str:
    """Returns the result text for a quarantined message whose sender cannot be asked by mail."""
    return t("Your message has arrived. We can’t email you to confirm it, so someone here will look at it first.")


def phone_words() -> dict[str, str]:
    """Returns the phone input's texts; the browser fills in the {placeholders}."""
    number, country, ext = "{number}", "{country}", "{ext}"
    return {
        "labelled": labelled("{label}", "{value}"),
        "country": t("Country"),
        "list": t("Countries"),
        "noCountry": t("not selected"),
        "search": t("Search for a country"),
        "noMatch": t("No country found. Try another spelling."),
        "weCall": t("If you ask us to call, we’ll use {number} ({country}).", number=number, country=country),
        "weCallExtension": t(
            "If you ask us to call, we’ll use {number}, extension {ext} ({country}).", number=number, ext=ext, country=country
        ),
        "weCallNowhere": t("If you ask us to call, we’ll use {number}.", number=number),
        "disagree": t("This number is from {number}, but you chose {country}. Which is right?", number=number, country=country),
        "tooShort": t("This number is too short. Please check that no digits are missing."),
        "tooLong": t("This number is too long. Please check it for extra digits."),
        "extensionTooLong": t("This extension is too long. Please check it for extra digits."),
        "invalidLength": t("This number has too many or too few digits. Please check it."),
        "invalidCountry": t("We can’t use a number from this country. Please enter another one."),
        "unknown": t("We don’t recognise this kind of number. Please check it."),
        "pattern": t("We can’t use this number format. Please check it."),
    }


def booking_words() -> dict[str, Any]:
    return _choosing() | _holding()


def _choosing() -> dict[str, Any]:
    return {
        "weekdays": weekday_names(),
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
        "warning": t("Your hold on this time is about to run out. Do you need longer?"),
        "expired": t("Your time is no longer held, but it may still be available."),
    }


def call_languages() -> dict[str, str]:
    """Returns the names of the languages that a visitor can choose for a call; empty if there is only one.

    A provider elsewhere is not asked for it, because it may not know the field.
    """
    languages = () if settings().provider_url else settings().call_languages
    return {language: language_name(language) for language in languages} if len(languages) > 1 else {}


def call_language_for(preferred: str) -> str:
    """Returns the preferred language if there are calls in it, else the page's, else English."""
    choices = call_languages()
    return next((language for language in (preferred, current().id) if language in choices), ENGLISH.id)


def spoken_languages() -> str:
    """Returns all languages of calls in a sentence, or an empty text if a visitor has no choice."""
    return join_with_and(list(call_languages().values()))


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
    return t("Continue: {time}", time=time) if time else t("Continue")


def choose_a_time() -> str:
    return t("Please choose a time")


def held_for_longer() -> str:
    return t("We’re holding this time for you for {minutes} more minutes.", minutes=_hold_minutes())


def booked_title() -> str:
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

"""What every form says about itself: its fields, its files, its sending."""

from site_app.contracts.attachment import MEGABYTES, MOST_FILES
from site_app.i18n import current, labelled, t


def optional() -> str:
    return t("optional")


def count_words() -> dict[str, str]:
    """{count} is filled in by the browser, while one types."""
    return {
        "left": t("{count} characters left", count="{count}"),
        "over": t("{count} characters too many", count="{count}"),
        "tag": current().tag,
    }


def select_words(label: str) -> dict[str, str]:
    return {
        "choose": t("Please choose"),
        "search": t("Choose, or type to search"),
        "coded": t("{name} ({detail})", name="{name}", detail="{detail}"),
        "list": label,
        "none": t("Nothing found. Try another spelling."),
    }


def file_words() -> dict[str, str]:
    """{name} is filled in by the browser."""
    return {
        "labelled": labelled("{label}", "{value}"),
        "drop": t("Drop files here, or"),
        "choose": t("choose files"),
        "list": t("Chosen files"),
        "sent": t("Sent along"),
        "missing": t("Your browser does not keep files over a reload. Please add it again, or remove it."),
        "cancel": t("Cancel"),
        "again": t("Try again"),
        "addAgain": t("Add again"),
        "remove": t("Remove"),
        "kind": t("{name} is of a kind we cannot take.", name="{name}"),
        "large": t("{name} is larger than {megabytes} MB.", name="{name}", megabytes=MEGABYTES),
        "empty": t("{name} is empty.", name="{name}"),
        "many": t("{name} is one too many: {count} files at most.", name="{name}", count=MOST_FILES),
        "tag": current().tag,
    }


def sending_words() -> dict[str, str]:
    """What is said in the course of a submission."""
    return {
        "sent": sent(),
        "failed": network_error(),
        "files": t("Not every file could be sent. Try those again, or remove them."),
        "cancelled": t("Cancelled. Try again, or remove it."),
        "notUploaded": t("This file could not be sent. Try again, or remove it."),
        "cleared": t("The form is empty again."),
        "undo": t("Undo"),
    }


def sent() -> str:
    return t("Your message has been sent successfully")


def network_error() -> str:
    return t("Network Error")


def submit_words(send: str) -> dict[str, str]:
    return {
        "send": send,
        "sending": t("Sending …"),
        "still": t("This takes longer than usual. We are still sending; you can leave this open."),
        "again": t("Try again"),
        "kept": t("Nothing is lost: what you typed stays here. Check your connection, then try again."),
        "clear": t("Clear form"),
    }


def privacy_note() -> tuple[str, str]:
    """The sentence beside every submit button, and the words of its link."""
    return t("We use what you write only to answer you."), t("Privacy policy")


def without_javascript() -> tuple[str, str]:
    """The sentence above a form that JavaScript alone can send, and the words of its link."""
    return t("This form needs JavaScript, which your browser does not run. Please write to us instead:"), t("Contact us")


def trap_label() -> str:
    return t("Leave this field empty")


def result_words(title: str, text: str, another: str) -> dict[str, str]:
    return {
        "title": title,
        "text": text,
        "check": t("We have it and keep it. Before a person reads it, we need to know that you are one."),
        "confirm": t("Open the email we have just sent you, and press the button behind its link."),
        "reference": t("Your reference"),
        "copy": t("Copy"),
        "copied": t("Copied"),
        "next": t("What happens next"),
        "another": another,
    }


def phone_words() -> dict[str, str]:
    """The phone input's sentences; what stands in {} is filled in by the browser."""
    number, country, ext = "{number}", "{country}", "{ext}"
    return {
        "labelled": labelled("{label}", "{value}"),
        "country": t("Country"),
        "list": t("Countries"),
        "noCountry": t("not chosen"),
        "search": t("Search for a country"),
        "noMatch": t("No country found."),
        "weCall": t("We'll call {number}, {country}.", number=number, country=country),
        "weCallExtension": t("We'll call {number}, extension {ext}, {country}.", number=number, ext=ext, country=country),
        "weCallNowhere": t("We'll call {number}.", number=number),
        "disagree": t("This number is from {number}, but you chose {country}. Which is right?", number=number, country=country),
        "tooShort": t("This number is too short. Please check that no digits are missing."),
        "tooLong": t("This number is too long. Please check it for extra digits."),
        "invalidLength": t("This number has too many or too few digits. Please check it."),
        "invalidCountry": t("We can't use a number from this country. Please give another one."),
        "unknown": t("We don't know this kind of number. Please check it."),
        "pattern": t("Please write the number as asked for."),
    }

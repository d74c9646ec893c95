"""The three calls to action, worded once."""

from site_app.content.records import Action
from site_app.core.i18n import t


def get_quote() -> Action:
    return Action(t("Get a free quote"), "quote")


def book_call() -> Action:
    return Action(t("Book a free call"), "consultation")


def write_to_us() -> Action:
    return Action(t("Send us a message"), "contact")

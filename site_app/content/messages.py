"""The messages of the layout: of the snackbar, of a page that does not load, and the two that the reader scripts show."""

from typing import Any

from site_app.core.i18n import LOCALES, Locale, labelled, t, use


def messages() -> dict[str, dict[str, Any]]:
    """Returns, by language, the labels and buttons of messages, and the two messages that the reader scripts show."""
    return {locale.id: _messages(locale) for locale in LOCALES}


def _messages(locale: Locale) -> dict[str, Any]:
    with use(locale):
        return snackbar_words() | {"notFound": not_found(), "offer": _offer(locale)}


def snackbar_words() -> dict[str, str]:
    return {
        "success": labelled(t("Done")),
        "error": labelled(t("Error")),
        "warning": labelled(t("Please note")),
        "info": labelled(t("Note")),
        "again": t("Try again"),
        "dismiss": t("Dismiss"),
    }


def page_words() -> dict[str, str]:
    return {"failed": t("This page could not be loaded. Check your connection, then try again."), "again": t("Try again")}


def not_found() -> str:
    return t("We couldn’t find the page you asked for, so here is our home page.")


def _offer(locale: Locale) -> dict[str, str]:
    """Returns the offer to read the page in a language, in that language."""
    return {
        "tag": locale.tag,
        "text": t("This page is also available in {language}.", language=locale.title),
        "accept": t("Read it in {language}", language=locale.title),
        "dismiss": t("No, thanks"),
    }

"""What the frame says by itself: about messages, pages that did not come, and languages."""

from site_app.i18n import BY_ID, LOCALES, labelled, t, use


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
    return {"failed": t("The page could not be loaded. Check your connection, then try again."), "again": t("Try again")}


def not_found() -> str:
    return t("The page you asked for was not found. This is our home page.")


def language_offers() -> dict[str, dict[str, str]]:
    """By language, the offer to read the page in it, each worded in that language."""
    return {locale.id: _offer(locale.id) for locale in LOCALES}


def _offer(language: str) -> dict[str, str]:
    locale = BY_ID[language]
    with use(locale):
        return {
            "tag": locale.tag,
            "text": t("This page is also available in {language}.", language=locale.title),
            "accept": t("Read it in {language}", language=locale.title),
            "dismiss": t("No, thank you"),
        }

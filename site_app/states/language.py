"""The current language, which the address decides and the visitor chooses."""

import reflex as rx

from site_app.i18n import BY_ID, ENGLISH, Locale, split


class LanguageState(rx.State):
    """Starts in English; the browser keeps the choice in the cookie `lang` and goes to the page's twin."""

    language: str = ENGLISH.id

    @rx.event
    def choose(self, language: str):
        """Make a language the current one; an unknown one changes nothing."""
        if language in BY_ID:
            self.language = language


def spoken(state: rx.State) -> Locale:
    """The language of the page that sent the event being handled."""
    return split(state.router.url.path)[0]

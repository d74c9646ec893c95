"""The language of the page: its address decides it, and the visitor can choose another."""

import reflex as rx

from site_app.core.i18n import split_language
from site_app.core.locales import BY_ID, Locale


class LanguageState(rx.State):
    """`language` is always the language of the page on the screen.

    `chosen` is the language that a handler chose last, `choice_count` counts such choices. When it grows, the browser follows the link
    to the same page in the chosen language, as if the visitor had pressed it, and stores the choice in the cookie `lang`.
    """

    chosen: str = ""
    choice_count: int = 0

    @rx.var
    def language(self) -> str:
        return split_language(self.router.url.path)[0].id

    @rx.event
    def choose(self, language: str):
        """Sends the browser to this page in another language; ignores an unknown language."""
        if language in BY_ID and language != self.language:
            self.chosen = language
            self.choice_count += 1


def page_locale(state: rx.State) -> Locale:
    """Returns the language of the page that sent the current event."""
    return split_language(state.router.url.path)[0]

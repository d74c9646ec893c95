"""The language of the page, which its address decides and the visitor chooses."""

import reflex as rx

from site_app.core.i18n import BY_ID, Locale, split


class LanguageState(rx.State):
    """`language` is always that of the page on the screen.

    `chosen` and `choices` are what a handler chose last, and how often one did: the browser then follows the link to the page's twin,
    as if the visitor had pressed it, and remembers the choice in the cookie `lang`.
    """

    chosen: str = ""
    choices: int = 0

    @rx.var
    def language(self) -> str:
        return split(self.router.url.path)[0].id

    @rx.event
    def choose(self, language: str):
        """Lead to this page in another language; an unknown one changes nothing."""
        if language in BY_ID and language != self.language:
            self.chosen = language
            self.choices += 1


def spoken(state: rx.State) -> Locale:
    """The language of the page that sent the event being handled."""
    return split(state.router.url.path)[0]

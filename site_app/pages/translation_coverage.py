"""Measures how much of a page is translated. Missing texts are shown in English; if too many are missing, the whole page is, with a notice."""

from collections.abc import Callable, Iterator
from functools import cache, wraps

import reflex as rx
from reflex.istate import dynamic
from reflex_base.registry import RegistrationContext

from components.ui.text import mark_language
from site_app.content.routes import BY_PATH, ROUTES, Route
from site_app.contracts.drafts import PageTexts
from site_app.core.i18n import Lookups, recorded_lookups, t, use
from site_app.core.i18n.markdown import BrokenText
from site_app.core.locales import BY_ID, ENGLISH, LOCALES, Locale
from site_app.pages.table import PAGES

_TRANSLATED = [locale for locale in LOCALES if locale is not ENGLISH]
_LISTED = "in hreflang and sitemap"
UNTRANSLATED_SHARE = 0.1  # of a page's texts; with a higher share without a translation the page is shown in English


class StateInPage(BrokenText):
    """A page of the table creates a state. Only the build calls its function once more, to count its translations, so the states of
    the build and of a server would have different names, and the server would refuse every event of them."""


def page_lookups(route: Route, locale: Locale) -> Lookups:
    """Returns the texts that a page looks up in a language other than English, including its title and description.

    Raises BrokenText with the page's path if its Markdown is unsupported, or if it creates a state.
    """
    states = RegistrationContext.ensure_context().base_states
    known_states = {*states}
    with use(locale), recorded_lookups() as lookups:
        try:
            PAGES[route.path]()
        except BrokenText as error:
            raise BrokenText(f"The page {route.path}: {error}") from None
        route.title()
        route.description()
    for name in states.keys() - known_states:
        if (state := states[name]).__module__ == dynamic.__name__:
            raise StateInPage(
                f"The page {route.path} creates a state, {state.__name__}, while it is built. A page of the table must find its states: "
                "write an rx.State in a module of site_app/states, or add the page with @rx.page."
            )
    return lookups


@cache
def texts_of_pages(language: str) -> tuple[PageTexts, ...]:
    """Returns the texts of each page that is translated into a language. The code alone decides about them, so they are found once."""
    locale = BY_ID[language]
    routes = [route for route in ROUTES if locale in route.languages and not is_legal(route)]
    with use(ENGLISH):
        titles = [str(route.title()) for route in routes]
    return tuple(
        PageTexts(route.path, title, frozenset(page_lookups(route, locale).requested_texts))
        for route, title in zip(routes, titles, strict=True)
    )


def is_translated(route: Route, locale: Locale) -> bool:
    """Returns True if the page is shown in that language. A legal page never is, because only its English text is binding."""
    if locale is ENGLISH:
        return True
    if locale not in route.languages:
        return False
    lookups = page_lookups(route, locale)
    return len(lookups.missing) <= UNTRANSLATED_SHARE * len(lookups.requested_texts) and not is_legal(route)


def is_legal(route: Route) -> bool:
    return route.path.startswith("/legals/")


def with_marked_english(build: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """Returns the page with `lang` on each element whose text is not translated."""

    @wraps(build)
    def page() -> rx.Component:
        with recorded_lookups() as lookups:
            built = build()
        mark_language(built, lookups.fallbacks, ENGLISH.tag)
        return built

    return page


def english_with_notice(build: Callable[[], rx.Component], locale: Locale) -> Callable[[], rx.Component]:
    """Returns the English page under a short notice in the language that lacks a translation."""

    def page() -> rx.Component:
        with use(locale):
            notice = t("This page has not been translated yet, so it is shown in English.")
        with use(ENGLISH):
            return rx.fragment(rx.el.p(notice, class_name="wrap notice"), rx.el.div(build(), lang=ENGLISH.tag))

    return page


def coverage_rows() -> Iterator[dict[str, str]]:
    """Yields a row for each page with the translated share of its texts by language."""
    for route in ROUTES:
        lookups = {locale.title: page_lookups(route, locale) for locale in _TRANSLATED}
        shares = {name: _share_words(len(words.requested_texts), len(words.missing)) for name, words in lookups.items()}
        yield {"page": route.path} | shares | {_LISTED: _listed_as(route)}


def _share_words(total: int, missing: int) -> str:
    return f"{100 * (total - missing) / (total or 1):.1f} % of {total}"


def _listed_as(route: Route) -> str:
    """Returns the languages in which the page is listed for search engines."""
    tags = ", ".join(locale.tag for locale in LOCALES if is_translated(route, locale))
    return f"{tags} (the English text binds)" if is_legal(route) else tags


def missing_texts(path: str) -> Iterator[str]:
    """Yields the untranslated texts of one page, grouped by language."""
    for locale in _TRANSLATED:
        texts = sorted(page_lookups(BY_PATH[path], locale).missing)
        yield f"{path} in {locale.title}: {len(texts)} texts to translate"
        yield from (f"  {text}" for text in texts)

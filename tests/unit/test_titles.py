"""Titles and descriptions of pages fit into the results of search engines."""

import unicodedata

import pytest

from site_app.content.publications import all_listings
from site_app.content.routes import BY_PATH, OWN_ROUTES, Route
from site_app.core.i18n import use
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings
from site_app.layout.head import title

MAX_TITLE_COLUMNS, DESCRIPTION = 60, range(120, 156)
ROUTES = (*OWN_ROUTES, *(BY_PATH[listing.path] for listing in all_listings() if listing.page == 1))


def columns(text: str) -> int:
    """The width of a text in Latin letters: a Chinese character is two wide, a Thai vowel or tone mark above another none."""
    return sum(0 if unicodedata.combining(sign) or unicodedata.category(sign) == "Mn" else 1 + _is_wide(sign) for sign in text)


def _is_wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in "WF"


@pytest.mark.parametrize("locale", LOCALES, ids=lambda entry: entry.id)
@pytest.mark.parametrize("route", ROUTES, ids=lambda entry: entry.path)
def test_a_title_is_not_cut_off(route: Route, locale: Locale) -> None:
    with use(locale):
        words = title(route, Settings())

    assert columns(words) <= MAX_TITLE_COLUMNS, words


@pytest.mark.parametrize("route", ROUTES, ids=lambda entry: entry.path)
def test_english_descriptions_use_the_available_length(route: Route) -> None:
    with use(ENGLISH):
        words = route.description()

    assert len(words) in DESCRIPTION, (len(words), words)


@pytest.mark.parametrize("locale", LOCALES, ids=lambda entry: entry.id)
@pytest.mark.parametrize("route", ROUTES, ids=lambda entry: entry.path)
def test_a_title_has_one_separator_before_the_brand(route: Route, locale: Locale) -> None:
    with use(locale):
        words = title(route, Settings())

    assert words.count(" – ") == 1
    assert "|" not in words

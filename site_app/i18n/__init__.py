"""Languages and words: catalogs, addresses, dates, currencies, Markdown. It touches nothing else of this project."""

from site_app.i18n.languages import in_every_language, own_module
from site_app.i18n.locale import BY_ID, ENGLISH, LOCALES, Locale, current, href, split, use
from site_app.i18n.names import in_local_words
from site_app.i18n.words import Heard, catalog, gap, heard_words, in_english, labelled, listed, t, tc, tn

__all__ = [
    "BY_ID",
    "ENGLISH",
    "LOCALES",
    "Heard",
    "Locale",
    "catalog",
    "current",
    "gap",
    "heard_words",
    "href",
    "in_english",
    "in_every_language",
    "in_local_words",
    "labelled",
    "listed",
    "own_module",
    "split",
    "t",
    "tc",
    "tn",
    "use",
]

"""Languages and translations: catalogs, addresses, dates, currencies, Markdown. Imports nothing else of this project."""

from site_app.core.i18n.locale import BY_ID, ENGLISH, LOCALES, Locale, current, href, in_every_language, own_module, split, use
from site_app.core.i18n.names import in_local_words
from site_app.core.i18n.words import (
    Lookups,
    catalog,
    enumerated,
    in_english,
    is_fallback,
    labelled,
    listed,
    recorded_lookups,
    sentence_separator,
    t,
    tc,
    tn,
)

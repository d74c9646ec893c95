"""The current language and translations: catalogs, addresses, dates, currencies, Markdown."""

from site_app.core.i18n.current_locale import current, href, in_every_language, in_language, page_path, split_language, use
from site_app.core.i18n.names import in_local_words
from site_app.core.i18n.translate import (
    Lookups,
    catalog,
    in_english,
    is_fallback,
    join_list,
    join_names,
    join_with_and,
    labelled,
    note_english,
    recorded_lookups,
    reload_changed_catalogs,
    sentence_separator,
    t,
    tc,
    tn,
)

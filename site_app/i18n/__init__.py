"""The site's languages and words."""

from site_app.i18n.locale import BY_ID, ENGLISH, LOCALES, Locale, current, href, split, use
from site_app.i18n.words import catalog, t, tc, tn

__all__ = ["BY_ID", "ENGLISH", "LOCALES", "Locale", "catalog", "current", "href", "split", "t", "tc", "tn", "use"]

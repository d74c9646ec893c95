"""The translated share of each page, and its missing texts: what `python -m site_app words --status` prints."""

from collections.abc import Iterator

from site_app.content.routes import BY_PATH, ROUTES, Route
from site_app.core.i18n import ENGLISH, LOCALES
from site_app.pages.translation_coverage import is_legal, is_translated, words_of

_LISTED = "in hreflang and sitemap"
_TRANSLATED = [locale for locale in LOCALES if locale is not ENGLISH]


def report() -> Iterator[dict[str, str]]:
    """Yields a row for each page with the translated share of its texts by language."""
    for route in ROUTES:
        lookups = {locale.title: words_of(route, locale) for locale in _TRANSLATED}
        shares = {name: _share(len(words.requested_texts), len(words.missing)) for name, words in lookups.items()}
        yield {"page": route.path} | shares | {_LISTED: _listed_as(route)}


def _share(total: int, missing: int) -> str:
    return f"{100 * (total - missing) / (total or 1):.1f} % of {total}"


def _listed_as(route: Route) -> str:
    """Returns the languages in which the page is listed for search engines."""
    tags = ", ".join(locale.tag for locale in LOCALES if is_translated(route, locale))
    return f"{tags} (the English text binds)" if is_legal(route) else tags


def missing(path: str) -> Iterator[str]:
    """Yields the untranslated texts of one page, grouped by language."""
    for locale in _TRANSLATED:
        texts = sorted(words_of(BY_PATH[path], locale).missing)
        yield f"{path} in {locale.title}: {len(texts)} texts to translate"
        yield from (f"  {text}" for text in texts)

"""The table of languages, and the one being written in."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Locale:
    id: str  # in paths, the cookie and the code
    tag: str  # in <html lang>, hreflang, Babel and Intl
    label: str  # in its own script, short
    title: str  # in its own script, whole
    prefix: str  # of its paths

    @property
    def babel(self) -> str:
        """Its name for Babel; English is Britain's, where the agency sits."""
        return {"en": "en_GB", "zh-Hans": "zh_Hans"}.get(self.tag, self.tag)


ENGLISH = Locale("en", "en", "EN", "English", "")
LOCALES = (ENGLISH, Locale("th", "th", "ไทย", "ภาษาไทย", "/th"), Locale("cn", "zh-Hans", "中文", "简体中文", "/cn"))
BY_ID = {locale.id: locale for locale in LOCALES}

_current: ContextVar[Locale] = ContextVar("locale", default=ENGLISH)


def current() -> Locale:
    return _current.get()


@contextmanager
def use(locale: Locale) -> Iterator[None]:
    """Write what is inside in this language."""
    before = _current.set(locale)
    try:
        yield
    finally:
        _current.reset(before)


def href(path: str) -> str:
    """A page's address in the language being written; what has a language, an anchor or an address outside stays as it is."""
    if not path.startswith("/") or split(path)[0] is not ENGLISH:
        return path
    page, sign, anchor = path.partition("#")
    return ((current().prefix + page).rstrip("/") or "/") + sign + anchor


def split(path: str) -> tuple[Locale, str]:
    """The language of an address, and the page's own path."""
    for locale in LOCALES[1:]:
        if path == locale.prefix or path.startswith(locale.prefix + "/"):
            return locale, path.removeprefix(locale.prefix) or "/"
    return ENGLISH, path

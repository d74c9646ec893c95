"""The table of languages, and the current language."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Locale:
    """A language of the site with everything that depends on it."""

    id: str  # in the cookie and the code, and the first part of its paths
    tag: str  # in <html lang>, hreflang and Intl
    label: str  # short name in its own script
    title: str  # full name in its own script
    country: str  # where most of its readers live: decides date formats and local phone numbers
    zone: str  # the time zone of most of its readers; empty: the founder's
    sentence_separator: str = " "  # between two sentences
    family_name_first: bool = False  # and without a space between the two names
    min_summary: int = 50  # characters of a publication's summary

    @property
    def prefix(self) -> str:
        """The prefix of its paths; empty for English."""
        return f"/{self.id}" if self.id != "en" else ""

    @property
    def babel(self) -> str:
        """Its Babel identifier: en_GB, zh_Hans_CN."""
        return f"{self.tag.replace('-', '_')}_{self.country}"

    @property
    def open_graph(self) -> str:
        """Its Open Graph locale, for cards on other sites: en_GB, zh_CN."""
        return f"{self.tag.partition('-')[0]}_{self.country}"


ENGLISH = Locale(id="en", tag="en", label="EN", title="English", country="GB", zone="")
LOCALES = (
    ENGLISH,
    Locale(id="th", tag="th", label="ไทย", title="ภาษาไทย", country="TH", zone="Asia/Bangkok"),
    # No space between sentences, because Chinese punctuation is as wide as a character.
    Locale(
        id="cn",
        tag="zh-Hans",
        label="中文",
        title="简体中文",
        country="CN",
        zone="Asia/Shanghai",
        sentence_separator="",
        family_name_first=True,
        min_summary=25,  # a Chinese character says about twice as much
    ),
)
BY_ID = {locale.id: locale for locale in LOCALES}

_current: ContextVar[Locale] = ContextVar("locale", default=ENGLISH)


def current() -> Locale:
    return _current.get()


@contextmanager
def use(locale: Locale) -> Iterator[None]:
    """Makes this the current language inside the block."""
    token = _current.set(locale)
    try:
        yield
    finally:
        _current.reset(token)


def href(path: str) -> str:
    """Returns a page's address in the current language; leaves paths with a language, mere anchors and external addresses unchanged."""
    if not path.startswith("/") or split(path)[0] is not ENGLISH:
        return path
    page, sign, anchor = path.partition("#")
    return ((current().prefix + page).rstrip("/") or "/") + sign + anchor


def split(path: str) -> tuple[Locale, str]:
    """Returns the language of an address, and the page's path without the prefix."""
    for locale in LOCALES[1:]:
        if path == locale.prefix or path.startswith(locale.prefix + "/"):
            return locale, path.removeprefix(locale.prefix) or "/"
    return ENGLISH, path


def in_every_language(build: Callable[..., Any], *, module: str) -> dict[str, Callable[..., Any]]:
    """Returns a version of `build` for each language, each with its own name and module.

    Reflex names a generated file after its function's module, so each language gets its own chunk.
    """
    return {locale.id: in_language(build, locale, module=module) for locale in LOCALES}


def in_language(build: Callable[..., Any], locale: Locale, *, module: str) -> Callable[..., Any]:
    """Returns `build` in one language, under a name and module that no other language shares."""

    @wraps(build)
    def built(*args: Any, **kwargs: Any) -> Any:
        with use(locale):
            return build(*args, **kwargs)

    built.__name__ = built.__qualname__ = f"{getattr(build, '__name__', 'part').strip('_<>')}_{locale.id}"
    built.__module__ = f"{module}_{locale.id}"
    return built

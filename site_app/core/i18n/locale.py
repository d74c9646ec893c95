"""The table of languages, and the one being written in."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Locale:
    """A language of the site: all that the code knows of one."""

    id: str  # in the cookie and the code, and the first part of its paths
    tag: str  # in <html lang>, hreflang and Intl
    label: str  # in its own script, short
    title: str  # in its own script, whole
    country: str  # where most of its readers live: how dates are written, which phone numbers are local
    zone: str  # the clocks of most of its readers; empty: the founder's
    sentence_separator: str = " "  # what stands between two sentences
    family_name_first: bool = False  # and no space between the two names

    @property
    def prefix(self) -> str:
        """What its paths begin with; English has the bare ones."""
        return f"/{self.id}" if self.id != "en" else ""

    @property
    def babel(self) -> str:
        """Its name for Babel: en_GB, zh_Hans_CN."""
        return f"{self.tag.replace('-', '_')}_{self.country}"

    @property
    def open_graph(self) -> str:
        """Its name for other sites' cards: en_GB, zh_CN."""
        return f"{self.tag.partition('-')[0]}_{self.country}"


ENGLISH = Locale(id="en", tag="en", label="EN", title="English", country="GB", zone="")
LOCALES = (
    ENGLISH,
    Locale(id="th", tag="th", label="ไทย", title="ภาษาไทย", country="TH", zone="Asia/Bangkok"),
    # No space between sentences: Chinese punctuation is as wide as a character.
    Locale(
        id="cn",
        tag="zh-Hans",
        label="中文",
        title="简体中文",
        country="CN",
        zone="Asia/Shanghai",
        sentence_separator="",
        family_name_first=True,
    ),
)
BY_ID = {locale.id: locale for locale in LOCALES}

_current: ContextVar[Locale] = ContextVar("locale", default=ENGLISH)


def current() -> Locale:
    return _current.get()


@contextmanager
def use(locale: Locale) -> Iterator[None]:
    """Make this the language being written inside the block."""
    token = _current.set(locale)
    try:
        yield
    finally:
        _current.reset(token)


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


def in_every_language(build: Callable[..., Any], *, module: str) -> dict[str, Callable[..., Any]]:
    """A function per language out of `build`, each with a name and a module of its own.

    Reflex names a generated file after its function's module, so a module per language is a chunk per language.
    """
    return {locale.id: own_module(build, locale, module=module) for locale in LOCALES}


def own_module(build: Callable[..., Any], locale: Locale, *, module: str) -> Callable[..., Any]:
    """`build` in one language, under a name and a module that no other language shares."""

    @wraps(build)
    def built(*args: Any, **kwargs: Any) -> Any:
        with use(locale):
            return build(*args, **kwargs)

    built.__name__ = built.__qualname__ = f"{getattr(build, '__name__', 'part').strip('_<>')}_{locale.id}"
    built.__module__ = f"{module}_{locale.id}"
    return built

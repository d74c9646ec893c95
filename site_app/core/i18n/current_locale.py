"""The current language, and addresses in it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

from site_app.core.locales import ENGLISH, LOCALES, Locale

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
    page = page_path(path)
    if not path.startswith("/") or split_language(page)[0] is not ENGLISH:
        return path
    return ((current().prefix + page).rstrip("/") or "/") + path.removeprefix(page)


def page_path(address: str) -> str:
    """Returns an address without its query and its anchor."""
    return re.split("[?#]", address, maxsplit=1)[0]


def split_language(path: str) -> tuple[Locale, str]:
    """Returns the language of an address, and the page's path without the prefix."""
    for locale in LOCALES[1:]:
        if path == locale.prefix or path.startswith(locale.prefix + "/"):
            return locale, path.removeprefix(locale.prefix) or "/"
    return ENGLISH, path


def in_every_language(build: Callable[..., Any], *, chunk: str) -> dict[str, Callable[..., Any]]:
    """Returns a version of `build` for each language, each in a chunk of its own, which a browser loads only in that language."""
    return {locale.id: in_language(build, locale, chunk=chunk) for locale in LOCALES}


def in_language(build: Callable[..., Any], locale: Locale, *, chunk: str) -> Callable[..., Any]:
    """Returns `build` in one language. `chunk` is a dotted name for its code in the browser, without the language; no such module need exist."""

    @wraps(build)
    def built(*args: Any, **kwargs: Any) -> Any:
        with use(locale):
            return build(*args, **kwargs)

    built.__name__ = built.__qualname__ = f"{getattr(build, '__name__', 'part').strip('_<>')}_{locale.id}"
    built.__module__ = f"{chunk}_{locale.id}"  # Reflex names the file with a function's component after the function's module
    return built

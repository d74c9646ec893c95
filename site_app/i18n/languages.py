"""Makes a function for each language out of one, so that each has a module and a chunk of script of its own."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from site_app.i18n.locale import LOCALES, Locale, use


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

"""The Reflex app, with every page of the table in every language, and the pages that modules of `pages` add with @rx.page."""

import asyncio
import gc
import pkgutil
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, cast

import reflex as rx
from reflex.utils.exec import is_prod_mode
from reflex_base.constants import PageNames
from reflex_base.environment import environment
from reflex_base.registry import RegistrationContext
from reflex_base.utils.format import format_route, to_kebab_case
from starlette.types import ASGIApp

from components.browser import NotFound, html_lang
from site_app import pages, states
from site_app.client import ProviderClient, embedded, install, remote
from site_app.content.routes import REDIRECTS, ROUTES, Route
from site_app.core.i18n import in_language, use
from site_app.core.i18n.markdown import BrokenText
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.settings import settings
from site_app.layout.head import card_image, head, structured_data, title
from site_app.layout.page_layout import shell, with_layout
from site_app.pages.drafts import DraftPages, built_file
from site_app.pages.line_breaks import with_whole_words
from site_app.pages.table import PAGES
from site_app.pages.translation_coverage import english_with_notice, is_legal, is_translated, with_marked_english
from site_app.plugins.static_first import NOT_BUILT
from site_app.provider.api.app import make_api, open_provider, open_visitor_services
from site_app.provider.api.tasks import supervise
from site_app.provider.office.pages import office_routes
from site_app.serving.failures import log_browser_error, log_handler_error
from site_app.serving.pages import ServedPages
from site_app.serving.socket_options import set_user_timeout
from site_app.serving.stack import stack
from site_app.states.startup import load_every_list

served_pages = ServedPages(settings(), {route.path: route.tag for route in ROUTES})


def _served_file(path: str) -> bytes | None:
    """Returns a page or file that visitors get now; in development what the last build has left."""
    file = served_pages.files.get(path)
    return file.plain.body if file else built_file(path)


api = make_api(settings(), served_pages.tags, office_routes(settings(), DraftPages(_served_file)))


def wrap_asgi(backend: ASGIApp) -> ASGIApp:
    """Returns the whole site around Reflex's backend."""
    return stack(app, backend, api=api, pages=served_pages, settings=settings())


@asynccontextmanager
async def lifespan() -> AsyncIterator[None]:
    """Opens the provider from the start to the stop of a process: the API of this process, or the one that SITE_PROVIDER_URL names."""
    set_user_timeout()
    if not is_prod_mode():
        gc.enable()  # see site_app/plugins/static_first/toolchain.py
        from site_app.provider.store.migration import prepare_database  # imports Alembic, which `serve` does without

        prepare_database(settings())  # `serve` does it once, before its workers
    async with _open_provider() as provider:
        install(provider)
        tasks = [asyncio.create_task(load_every_list())] if settings().redis_url else []
        if settings().publish == "build" and is_prod_mode():
            tasks.append(asyncio.create_task(supervise("pages", served_pages.follow)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await provider.close()


@asynccontextmanager
async def _open_provider() -> AsyncIterator[ProviderClient]:
    if settings().provider_url:
        async with open_visitor_services(api, settings()):
            yield remote(settings())
    else:
        async with open_provider(api, settings()):
            yield embedded(api, settings())


app = rx.App(
    toaster=None,  # components/messages shows the texts of rx.toast
    # Without Reflex's banner of a lost connection, because the forms work without one, and its error page, which shows a stack trace.
    app_wraps={},
    reset_style=False,  # components/reset.css replaces Reflex's reset
    # Around all pages, so that it stays when the page changes; 1: inside the wraps of Reflex, which have higher numbers.
    extra_app_wraps={(1, "Shell"): lambda _stateful: shell()},
    html_custom_attrs=cast(dict[str, str], {"lang": html_lang()}),  # a Var is taken too
    api_transformer=wrap_asgi,
    backend_exception_handler=log_handler_error,
    frontend_exception_handler=log_browser_error,
)
app.register_lifespan_task(lifespan)


def add_route(route: Route) -> None:
    """Adds a page in every language. Where too many texts lack a translation, the page is English and has a notice.

    A worker of the built site skips the compiler and needs only paths. It does not look for missing translations, which takes a second.
    """
    skips_compile = environment.REFLEX_SKIP_COMPILE.get()
    locales = [locale for locale in LOCALES if skips_compile or is_translated(route, locale)]
    for locale in LOCALES:
        with use(locale):
            build = _page_function(route, locale, locales)
            page = _localized(build, locale, chunk=PAGES[route.path].__module__)
            props = {} if skips_compile else _head(route, locale, locales)
            path = (locale.prefix + route.path).rstrip("/") or "/"
            app.add_page(page, route=path, context={"boot": route.boot}, **props)


def _head(route: Route, locale: Locale, locales: list[Locale]) -> dict[str, Any]:
    return {
        "title": title(route, settings()),
        "description": route.description(),
        "image": settings().url + card_image(route, locale),
        "meta": head(route, languages=locales, data=structured_data(route, settings()), settings=settings()),
    }


def add_translations(build: Callable[[], rx.Component], options: Mapping[str, Any]) -> None:
    """Adds the other languages of a page that @rx.page has added in English, at the same address behind the language's prefix."""
    route = format_route(options.get("route") or to_kebab_case(build.__name__))  # as Reflex names it
    path = "" if route == PageNames.INDEX_ROUTE else f"/{route}"
    canonical = rx.el.link(rel="canonical", href=settings().url + (path or "/"))
    for locale in LOCALES:
        if locale is ENGLISH:
            continue
        page = _localized(english_with_notice(build, locale), locale, chunk=build.__module__)
        app.add_page(page, **{**options, "route": locale.prefix + path, "meta": [*options.get("meta", ()), canonical]})


def load_modules(package: ModuleType) -> None:
    """Imports each module of a package and its subpackages for what it registers: pages with @rx.page, and states."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        loaded = import_module(module.name)
        if module.ispkg:
            load_modules(loaded)


def _page_function(route: Route, locale: Locale, locales: list[Locale]) -> Callable[[], rx.Component]:
    build = PAGES[route.path]
    page = with_marked_english(build) if locale in locales or is_legal(route) else english_with_notice(build, locale)
    return with_whole_words(page)


def _localized(build: Callable[[], rx.Component], locale: Locale, *, chunk: str) -> Callable[[], rx.Component]:
    """Returns the page in one language, inside the layout of that language."""
    page = with_layout(build, locale)
    return in_language(page, locale, chunk=chunk)


app.add_page(rx.fragment(NotFound.create(redirects=REDIRECTS)), route="404", title=settings().brand_name)

load_modules(pages)
load_modules(states)
for build, options in RegistrationContext.ensure_context().decorated_pages:
    add_translations(build, options)

try:
    for route in ROUTES:
        add_route(route)
except BrokenText as error:  # Reflex would print its traceback
    sys.exit(f"{NOT_BUILT}\n{error}")

"""The app, put together."""

import reflex as rx

from components.browser.locale import html_lang
from components.browser.watchers import Elsewhere
from site_app.build.head import card_image, head, title
from site_app.i18n import ENGLISH, LOCALES, in_every_language, missing_words, use
from site_app.pages import PAGES
from site_app.routes import ROUTES, Route
from site_app.settings import settings
from site_app.shell.shell import shell

app = rx.App(
    toaster=None,
    app_wraps={},
    extra_app_wraps={(1, "Shell"): lambda _stateful: shell()},
    html_custom_attrs={"lang": html_lang()},
)


def add(route: Route) -> None:
    """Add a page in every language; where a language lacks one of its words, the page says so and is left out of hreflang."""
    build = PAGES[route.path]
    whole = [locale for locale in LOCALES if locale is ENGLISH or _whole(route, locale)]
    for locale, page in zip(LOCALES, in_every_language(build, module=build.__module__).values(), strict=True):
        with use(locale):
            app.add_page(
                page,
                route=(locale.prefix + route.path).rstrip("/") or "/",
                title=title(route, settings()),
                description=route.description(),
                image=card_image(route, locale),
                meta=head(route, languages=whole, data=(), settings=settings()),
            )


def _whole(route: Route, locale) -> bool:
    with use(locale), missing_words() as missing:
        PAGES[route.path](), route.title(), route.description()
    return not missing


app.add_page(rx.fragment(Elsewhere.create()), route="404", title=settings().brand_name)

for route in ROUTES:
    if route.path in PAGES:
        add(route)

"""How every plain page is served: its language from its address, its limits, its headers, and its refusals as pages."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any
from urllib.parse import parse_qsl

import structlog
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from site_app.api.call import LARGEST_BODY, whole_body
from site_app.api.caller import address_of, neighbourhood
from site_app.api.errors import RETRY_SECONDS, CallRefused
from site_app.api.office import Office, office_of
from site_app.api.pages.languages import chosen, here, languages
from site_app.api.pages.stylesheet import STYLESHEET
from site_app.i18n import LOCALES, current, href, split, t, use
from site_app.settings import Settings
from site_app.store import StoreUnavailable

log = structlog.get_logger()
Handler = Callable[[Office, Request], Awaitable[Response]]
_MOST_FIELDS = 60
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    # The addresses of these pages are secrets: no other site may learn them, no cache may keep them.
    # Not "no-referrer", with which browsers send their own forms' Origin as null.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class PlainPage:
    """A template's name, the page's title, and the words it is filled with."""

    template: str
    title: str
    words: Mapping[str, Any]
    form: str = ""  # the id of the one whose words go along into another language


def plain(
    limit: str = "reads", *, switched: Handler | None = None
) -> Callable[[Handler], Callable[[Request], Awaitable[Response]]]:
    """Makes an endpoint of a handler; POST requests are counted by this limit, all others as reads.

    A form is posted also to go on in another language: `switched` answers that, writes nothing, and counts as a read.
    """

    def serving(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        @wraps(handler)
        async def endpoint(request: Request) -> Response:
            office, is_post = office_of(request), request.method == "POST"
            goes_on = switched if is_post and chosen(request.scope) else None
            counted = limit if is_post and not goes_on else "reads"
            with use(split(request.url.path)[0]):
                try:
                    await _admit(office, request, counted, handler.__name__)
                    return await (goes_on or handler)(office, request)
                except CallRefused as error:
                    return _refused(office, request, error.message, error.status, error.retry_after)
                except StoreUnavailable:
                    log.warning("store.unavailable")
                    text = t("We cannot take this right now. Please try again")
                    return _refused(office, request, text, 503, RETRY_SECONDS)

        return endpoint

    return serving


def show(office: Office, request: Request, page: PlainPage, *, status: int = 200) -> Response:
    """The page in the layout, in the language being written."""
    return written(page, request, office.settings, status=status)


def written(page: PlainPage, request: Request, settings: Settings, *, status: int = 200) -> Response:
    """The same for whoever has no office: the site itself, whose provider may be elsewhere."""
    frame = {
        "title": page.title,
        "lang": current().tag,
        "stylesheet": STYLESHEET,
        "brand": settings.brand_name,
        "legal_name": settings.brand_legal_name,
        "home": href("/"),
        "privacy": href("/legals/privacy-policy"),
        "languages": languages(request.scope),
        "current": current(),
        "here": here(request.scope),
        "form": page.form,
        "t": t,
    }
    return HTMLResponse(_template(page.template).render(frame | dict(page.words)), status, _HEADERS)


def routes_for(path: str, endpoint: Callable[[Request], Awaitable[Response]], *methods: str) -> list[Route]:
    """The page's route in every language."""
    return [Route(locale.prefix + path, endpoint, methods=list(methods or ("GET",))) for locale in LOCALES]


async def form_of(request: Request) -> dict[str, str]:
    """What a form sent; of a name that comes twice the last one counts."""
    body = await whole_body(request, LARGEST_BODY)
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise CallRefused(400, "not_a_form", t("This form cannot be read")) from None


async def _admit(office: Office, request: Request, limit: str, name: str) -> None:
    address = neighbourhood(address_of(request, office.settings))
    if seconds := await office.limits.wait(limit, name, address):
        raise CallRefused(429, "too_many", t("Too many at once. Please try again in a moment"), retry_after=seconds)


def _refused(office: Office, request: Request, text: str, status: int, retry_after: int) -> Response:
    if request.method == "POST":
        text = t("{text}. Go back in your browser: what you typed is still there.", text=text)
    page = PlainPage("notice.html", t("One moment, please"), {"text": text, "action": None})
    answer = show(office, request, page, status=status)
    if retry_after:
        answer.headers["Retry-After"] = str(retry_after)
    return answer


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("site_app.api.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _template(name: str) -> Template:
    return _environment().get_template(name)

"""Endpoints of plain pages: their routes in every language, their limits, and the forms posted to them."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app.core.http.bodies import LARGEST_BODY, whole_body
from site_app.core.http.languages import chosen_language
from site_app.core.http.limits import Admission, AppContext, context_of
from site_app.core.http.pages.rendering import refused
from site_app.core.http.refusals import CallRefused
from site_app.core.i18n import LOCALES, split, t, use

Handler = Callable[[Any, Request], Awaitable[Response]]
_MOST_FIELDS = 60


def plain(
    limit: str = "reads", *, switched: Handler | None = None
) -> Callable[[Handler], Callable[[Request], Awaitable[Response]]]:
    """Turns a handler into an endpoint; counts POST requests against this limit, all others as reads.

    A form is also posted to continue in another language: `switched` answers that, writes nothing, and counts as a read. `switched` also
    answers when another site's page posts the form, because the visitor has not pressed our button; they are shown it first.
    """

    def decorate(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        @wraps(handler)
        async def endpoint(request: Request) -> Response:
            context = context_of(request)
            is_post = request.method == "POST"
            handle_switch = (
                switched if is_post and (chosen_language(request.scope) or _is_from_elsewhere(request, context)) else None
            )
            admission = Admission(context.limits, context.settings, request)

            async def respond() -> Response:
                try:
                    await admission.count_network(limit if is_post and not handle_switch else "reads", handler.__name__)
                    return await (handle_switch or handler)(context, request)
                except CallRefused as error:
                    return refused(context, request, error)

            with use(split(request.url.path)[0]):
                return await admission.give_back_if_failed(respond())

        return endpoint

    return decorate


def _is_from_elsewhere(request: Request, context: AppContext) -> bool:
    """Returns True if the browser reports that another site's page sent this; trusts browsers that report nothing."""
    origin = request.headers.get("Origin")
    return request.headers.get("Sec-Fetch-Site") == "cross-site" and origin not in context.settings.origins


def routes_for(path: str, endpoint: Callable[[Request], Awaitable[Response]], *methods: str) -> list[Route]:
    """Returns the routes of a page in every language."""
    return [Route(locale.prefix + path, endpoint, methods=list(methods or ("GET",))) for locale in LOCALES]


async def form_of(request: Request) -> dict[str, str]:
    """Returns the fields of a posted form; the last value of a repeated name counts."""
    return dict(await pairs_of(request))


async def pairs_of(request: Request) -> list[tuple[str, str]]:
    """Returns the names and values of a posted form in their order."""
    body = await whole_body(request, LARGEST_BODY)
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise CallRefused(400, "not_a_form", t("We couldn’t read this form. Please send it again.")) from None

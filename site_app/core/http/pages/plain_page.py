"""Renders plain pages, wraps their handlers into endpoints, and reads their forms.

Each page takes its language from its address, has rate limits and headers, and shows refusals as pages. The stylesheet shares much with
the site's. Stylesheet and scripts are at addresses that contain a hash of their content.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from site_app.core import colors
from site_app.core.http.bodies import max_form_bytes, whole_body
from site_app.core.http.context import AppContext, context_of
from site_app.core.http.languages import chosen_language, language_links, own_url
from site_app.core.http.limits import Admission
from site_app.core.http.refusals import CallRefused, retry_header
from site_app.core.i18n import current, href, in_english, split_language, t, use
from site_app.core.locales import LOCALES
from site_app.core.settings import Settings, samples
from site_app.core.templates import templates

_IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
_FOLDER = Path(__file__).parent
_PACKAGE = "site_app.core.http.pages"  # its templates are the layout and what several packages share
_COMPONENTS = colors.THEME.parent
_SHARED_STYLES = (  # with the site's own pages
    "base.css",
    "art/font.css",
    "layout/skip.css",
    "layout/footer.css",
    "ui/button.css",
    "ui/fields.css",
    "booking/calendar.css",
    "booking/slots.css",
)


def asset_route(
    under: str, file: Path, media_type: str, *, prefix: str = "", suffix: str = "", headers: Mapping[str, str] = _IMMUTABLE
) -> Route:
    """Returns a route that serves the file, between `prefix` and `suffix`, at an address with its content hash."""
    content = (prefix + file.read_text(encoding="utf-8") + suffix).encode()

    async def serve(_request: Request) -> Response:
        return Response(content, media_type=media_type, headers=headers)

    return Route(f"{under}/{hashlib.sha256(content).hexdigest()[:12]}{file.suffix}", serve)


def _styles_of_site() -> str:
    """Returns the styles that plain pages share with the site: tokens, plain elements, the headlines' face, buttons, fields, times."""
    reset, *shared = ((_COMPONENTS / name).read_text(encoding="utf-8") for name in ("reset.css", *_SHARED_STYLES))
    tokens = f"@layer theme{{{colors.stylesheet()}}}"  # in the first layer, so that a language can replace a token, such as its typeface
    return tokens + f"@layer reset{{{reset}}}" + "".join(shared)


_STYLESHEET_ROUTE = asset_route("/plain", _FOLDER / "plain.css", "text/css", prefix=_styles_of_site())
_THEME_ROUTE = asset_route("/plain", _FOLDER / "theme.js", "text/javascript")
MARK = (_COMPONENTS / "art/drawings/mark.svg").read_text(encoding="utf-8").strip()  # as on the site's own pages
ASSET_ROUTES = (_STYLESHEET_ROUTE, _THEME_ROUTE)
STYLESHEET = _STYLESHEET_ROUTE.path
THEME = _THEME_ROUTE.path
PageHandler = Callable[[Any, Request], Awaitable[Response]]
_MAX_FIELDS = 60
FormPairs = Sequence[tuple[str, str]]  # names and values of a form; a name may come more than once
TextAndUrl = tuple[str, str]  # of a link
_RETRY_AFTER_SECONDS = 60  # the default; the page's text says the actual time
PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    # The addresses of these pages are secrets: they must not leak to other sites or stay in a cache.
    # Not "no-referrer", because browsers then send our own forms with Origin: null.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class SiteFrame:
    """The site's links for the head and the foot of its plain pages; `groups` are titles with their links.

    A function that returns it, in the current language, is in the state of the application as `site_frame`. A provider without the site
    has none.
    """

    label: str
    links: tuple[TextAndUrl, ...]
    headline: str
    groups: tuple[tuple[str, tuple[TextAndUrl, ...]], ...]
    policies_label: str
    policies: tuple[TextAndUrl, ...]
    social_label: str
    social: tuple[TextAndUrl, ...]
    small_print: str
    themes: tuple[tuple[str, str, str], ...]  # the theme to switch from, the words, and the path of the icon


def render_page(
    context: AppContext,
    request: Request,
    template: str,
    title: str,
    *,
    package: str = _PACKAGE,
    form: str = "",
    status: int = 200,
    retry_after: int = _RETRY_AFTER_SECONDS,
    partner_query: str = "",
    **values: Any,
) -> Response:
    """Renders the template of this package with these values, in the layout and the current language.

    `partner_query` is added to links to pages of the site: see contracts.attribution.partner_query_of. `form` is the id of the form
    whose input is kept on a change of language. Pages with status 429 or 503 get a Retry-After header.
    """
    layout = {"title": title, "form": form, **_frame_values(context.settings, request, partner_query)}
    text = templates(package, _PACKAGE).get_template(template).render(layout | values)
    return HTMLResponse(text, status, PAGE_HEADERS | retry_header(retry_after if status in (429, 503) else 0))


def _frame_values(settings: Settings, request: Request, partner_query: str) -> dict[str, Any]:
    """Returns the values of the layout that do not depend on the page's own content."""
    site_frame: Callable[[], SiteFrame] | None = getattr(request.app.state, "site_frame", None)
    return {
        "lang": current().tag,
        "stylesheet": STYLESHEET,
        "theme": THEME,
        "default_theme": settings.theme,
        "brand": settings.brand_name,
        "mark": MARK,
        "demonstration": settings.allow_samples and bool(samples(settings)),
        "legal_name": settings.brand_legal_name,
        "home": href("/") + partner_query,
        "privacy": href("/legals/privacy-policy"),
        "languages": language_links(request.scope),
        "current": current(),
        "here": own_url(request.scope),
        "frame": site_frame() if site_frame else None,
        "with_partner": lambda url: _with_query(url, partner_query),
        "t": t,
        "in_english": in_english,
    }


def _with_query(url: str, query: str) -> str:
    """Returns the address of one of the site's pages with the query; addresses of other kinds, such as mailto:, unchanged."""
    path, mark, fragment = url.partition("#")
    return path + query + mark + fragment if url.startswith("/") else url


def render_notice(
    context: AppContext,
    request: Request,
    title: str,
    text: str,
    action: TextAndUrl | None = None,
    *,
    button: str = "",
    fields: Mapping[str, str] | None = None,
    **options: Any,
) -> Response:
    """Renders a page with one message, and a link or a button that posts these fields to this page."""
    values = {"text": text, "action": action, "button": button, "fields": fields or {}}
    return render_page(context, request, "notice.html", title, **values, **options)


def render_refusal(context: AppContext, request: Request, refusal: CallRefused) -> Response:
    """Renders the page that says why a request was refused."""
    text = refusal.message
    if request.method == "POST":
        text = t("{text}. Go back in your browser: what you typed should still be there.", text=text.rstrip(".。"))
    return render_notice(
        context, request, t("One moment, please"), text, status=refusal.status, retry_after=refusal.retry_after
    )


def plain_endpoint(
    limit: str = "reads", *, show_again: PageHandler | None = None
) -> Callable[[PageHandler], Callable[[Request], Awaitable[Response]]]:
    """Turns a handler into an endpoint; counts POST requests against this limit, all others as reads.

    A form is also posted to continue in another language: `show_again` answers that, writes nothing, and counts as a read. It also
    answers when another site's page posts the form, because the visitor has not pressed our button; they are shown it first.
    """

    def decorate(handler: PageHandler) -> Callable[[Request], Awaitable[Response]]:
        @wraps(handler)
        async def endpoint(request: Request) -> Response:
            context = context_of(request)
            is_post = request.method == "POST"
            handle, group = handler, limit if is_post else "reads"
            if show_again and is_post and (chosen_language(request.scope) or _is_cross_site(request, context)):
                handle, group = show_again, "reads"
            admission = Admission(context.limits, context.settings, request)

            async def respond() -> Response:
                try:
                    await admission.count_network(group, handler.__name__)
                    return await handle(context, request)
                except CallRefused as error:
                    return render_refusal(context, request, error)

            with use(split_language(request.url.path)[0]):
                return await admission.give_back_if_failed(respond())

        return endpoint

    return decorate


def _is_cross_site(request: Request, context: AppContext) -> bool:
    """Returns True if the browser reports that another site's page sent this; trusts browsers that report nothing."""
    origin = request.headers.get("Origin")
    return request.headers.get("Sec-Fetch-Site") == "cross-site" and origin not in context.settings.origins


def routes_for(path: str, endpoint: Callable[[Request], Awaitable[Response]], *methods: str) -> list[Route]:
    """Returns the routes of a page in every language."""
    return [Route(locale.prefix + path, endpoint, methods=list(methods or ("GET",))) for locale in LOCALES]


async def form_of(request: Request) -> dict[str, str]:
    """Returns the fields of a posted form; the last value of a repeated name counts."""
    return dict(await pairs_of(request))


async def pairs_of(request: Request) -> FormPairs:
    """Returns the names and values of a posted form in their order."""
    body = await whole_body(request, max_form_bytes(request.url.path))
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise CallRefused(400, "not_a_form", t("We couldn’t read this form. Please send it again.")) from None

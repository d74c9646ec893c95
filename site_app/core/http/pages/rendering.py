"""Renders templates in the layout of plain pages: whole pages, notices, and refusals."""

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from site_app.core.http.languages import language_links, own_address
from site_app.core.http.limits import AppContext
from site_app.core.http.pages.assets import MARK, STYLESHEET, THEME
from site_app.core.http.refusals import CallRefused, retry_header
from site_app.core.i18n import current, href, in_english, t
from site_app.core.settings import samples
from site_app.core.templates import templates

TextAndAddress = tuple[str, str]  # of a link
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


def show(
    context: AppContext,
    request: Request,
    template: str,
    title: str,
    *,
    form: str = "",
    status: int = 200,
    retry_after: int = _RETRY_AFTER_SECONDS,
    carried: str = "",
    **values: Any,
) -> Response:
    """Renders the template with these values, in the layout and the current language.

    `carried` is a query that links to pages of the site take along. `form` is the id of the form whose input is kept on a change of
    language. Pages with status 429 or 503 get a Retry-After header.
    """
    settings = context.settings
    layout = {
        "title": title,
        "lang": current().tag,
        "stylesheet": STYLESHEET,
        "theme": THEME,
        "default_theme": settings.theme,
        "brand": settings.brand_name,
        "mark": MARK,
        "demonstration": settings.allow_samples and bool(samples(settings)),
        "legal_name": settings.brand_legal_name,
        "home": href("/") + carried,
        "privacy": href("/legals/privacy-policy"),
        "languages": language_links(request.scope),
        "current": current(),
        "here": own_address(request.scope),
        "form": form,
        "t": t,
        "in_english": in_english,
    }
    text = templates("site_app.core.http.pages").get_template(template).render(layout | values)
    return HTMLResponse(text, status, PAGE_HEADERS | retry_header(retry_after if status in (429, 503) else 0))


def notice(
    context: AppContext,
    request: Request,
    title: str,
    text: str,
    action: TextAndAddress | None = None,
    *,
    button: str = "",
    **options: Any,
) -> Response:
    """Renders a page with one message, and a link or a button that posts to this page."""
    return show(context, request, "notice.html", title, text=text, action=action, button=button, **options)


def refused(context: AppContext, request: Request, refusal: CallRefused) -> Response:
    """Renders the page that says why a request was refused."""
    text = refusal.message
    if request.method == "POST":
        text = t("{text}. Go back in your browser: what you typed should still be there.", text=text.rstrip(".。"))
    return notice(context, request, t("One moment, please"), text, status=refusal.status, retry_after=refusal.retry_after)

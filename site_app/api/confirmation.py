"""The page behind the link in a quarantined sender's mail: looking changes nothing, the button does."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from site_app.api.call import language_of
from site_app.api.caller import address_of, neighbourhood
from site_app.api.errors import CallRefused, answer_to
from site_app.api.office import office_of
from site_app.i18n import BY_ID, ENGLISH, current, t, use
from site_app.services.leads import find, release
from site_app.store import StoreUnavailable

_POLICY = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"


async def confirm(request: Request) -> Response:
    office = office_of(request)
    reference = office.tokens.confirmed_reference(request.query_params.get("token", ""))
    try:
        lead = await office.store.read(lambda session: find(session, reference)) if reference else None
        with use(BY_ID.get(lead.language, ENGLISH) if lead else language_of(request)):
            if lead is None:
                return _page(t("This link leads nowhere"), t("The message it belonged to has been erased."), status=404)
            address = neighbourhood(address_of(request, office.settings))
            if seconds := await office.limits.wait("reads", "confirm", address):
                raise CallRefused(429, "too_many", t("Too many at once. Please try again in a moment"), retry_after=seconds)
            if request.method == "POST" and await office.store.write(
                lambda session: release(session, lead.reference, office.desk())
            ):
                office.wake()
            elif lead.status == "quarantined":
                return _page(t("Did you write to us?"), t("One click, and we read it."), button=t("Yes, I wrote it"))
            return _page(t("Thank you, we have it"), t("Your reference is {reference}.", reference=lead.reference))
    except (CallRefused, StoreUnavailable) as error:
        return answer_to(error)


def _page(title: str, text: str, *, button: str = "", status: int = 200) -> Response:
    form = f'<form method="post"><button>{escape(button)}</button></form>' if button else ""
    page = (
        f'<!doctype html><html lang="{current().tag}"><meta charset="utf-8"><meta name="robots" content="noindex">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        f"<h1>{escape(title)}</h1><p>{escape(text)}</p>{form}"
    )
    headers = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    return HTMLResponse(page, status, headers)

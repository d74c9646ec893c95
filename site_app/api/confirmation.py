"""/confirm/<token>: the page behind a quarantined sender's link; looking changes nothing, the button does."""

from starlette.requests import Request
from starlette.responses import Response

from site_app.api.office import Office
from site_app.api.pages import PlainPage, plain, routes_for, show
from site_app.i18n import href, t
from site_app.services.leads import find, release
from site_app.store.tables.lead import QUARANTINED


@plain()
async def confirm(office: Office, request: Request) -> Response:
    """GET asks, POST lets the lead out of quarantine; both may come as often as they like."""
    token = request.path_params["token"]
    reference = office.tokens.confirmed_reference(token)
    lead = await office.store.read(lambda session: find(session, reference)) if reference else None
    if lead is None:
        text = t("The message it belonged to has been erased, or the address is not complete.")
        return _page(office, request, t("This link leads nowhere"), text, status=404)
    if request.method == "POST":
        if await office.store.write(lambda session: release(session, lead.reference, office.desk())):
            office.wake()
    elif lead.status == QUARANTINED:
        return _page(office, request, t("Did you write to us?"), t("One click, and we read it."), button=t("Yes, I wrote it"))
    text = t("Your reference is {reference}. A copy of what you sent is on its way to you.", reference=lead.reference)
    return _page(office, request, t("Thank you, we have it"), text)


def _page(office: Office, request: Request, title: str, text: str, *, button: str = "", status: int = 200) -> Response:
    words = {"text": text, "button": button, "action": (t("To the website"), href("/"))}
    return show(office, request, PlainPage("confirmation.html", title, words), status=status)


CONFIRMATION_ROUTES = routes_for("/confirm/{token}", confirm, "GET", "POST")

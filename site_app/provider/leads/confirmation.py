"""/confirm/<token>: the page behind a quarantined sender's link; looking changes nothing, the button does."""

from starlette.requests import Request
from starlette.responses import Response

from site_app.core.http.pages import notice, plain, routes_for
from site_app.core.i18n import href, sentence_separator, t
from site_app.provider.endpoints.context import ApiContext
from site_app.provider.leads.endpoints import submission_context
from site_app.provider.leads.keep import release
from site_app.provider.leads.queries import find
from site_app.provider.store.tables import QUARANTINED, Lead


@plain()
async def confirm(context: ApiContext, request: Request) -> Response:
    """GET asks, POST lets the lead out of quarantine; both may come as often as they like."""
    token, home = request.path_params["token"], (t("Go to our website"), href("/"))
    reference = context.tokens.confirmed_reference(token)
    lead = await context.store.read(lambda session: find(session, Lead, reference)) if reference else None
    if lead is None:
        text = t(
            "The message it belonged to has been deleted, or the link is incomplete. Please open the link from our email again, or send us a new message."
        )
        return notice(context, request, t("This link no longer works"), text, home, status=404)
    if request.method == "POST":
        if await context.store.write(lambda session: release(session, lead.reference, submission_context(context))):
            context.wake()
    elif lead.status == QUARANTINED:
        text, button = t("One click, and we’ll read your message."), t("Yes, that was me")
        return notice(context, request, t("Did you contact us?"), text, button=button)
    sentence = t("Your reference is {reference}.", reference=lead.reference)
    text = f"{sentence}{sentence_separator()}{t('A real person will read it and reply within one working day.')}"
    return notice(context, request, t("Thank you, we’ve received it"), text, home)


CONFIRMATION_ROUTES = routes_for("/confirm/{token}", confirm, "GET", "POST")

"""/confirm/<token>: the page on which the sender of a lead in quarantine confirms it. GET changes nothing."""

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from site_app.core.http.pages import plain_endpoint, render_notice, routes_for
from site_app.core.i18n import href, sentence_separator, t
from site_app.provider.http.call import ApiContext
from site_app.provider.leads.quarantine import release
from site_app.provider.leads.queries import find_by_reference
from site_app.provider.store.tables import Lead, LeadStatus


@plain_endpoint()
async def confirm(context: ApiContext, request: Request) -> Response:
    """GET shows a button, POST releases the lead from quarantine. Both may be repeated."""
    token = request.path_params["token"]
    home = (t("Go to our website"), href("/"))
    reference = context.tokens.confirmed_reference(token)
    lead = await context.store.read(lambda session: find_by_reference(session, Lead, reference)) if reference else None
    if lead and request.method == "POST":
        lead = await _released_lead(context, lead.reference)
    if lead is None:
        text = t(
            "The message it belonged to has been deleted, or the link is incomplete. Please open the link from our email again, or send us a new message."
        )
        way_on = t("Send us a message"), href("/contact-us")
        return render_notice(context, request, t("This link no longer works"), text, way_on, status=404)
    if request.method != "POST" and lead.status == LeadStatus.QUARANTINED:
        text = t("One click, and your message is with us.")
        return render_notice(context, request, t("Did you contact us?"), text, button=t("Yes, this came from me"))
    sentence = t("Your reference is {reference}.", reference=lead.reference)
    text = f"{sentence}{sentence_separator()}{t('A real person will read it and reply within one working day.')}"
    return render_notice(context, request, t("Thank you, we’ve received it"), text, home)


async def _released_lead(context: ApiContext, reference: str) -> Lead | None:
    """Releases the lead if it is still in quarantine. Returns None if it has been erased meanwhile."""
    now = context.clock()

    def release_and_read(session: Session) -> tuple[bool, Lead | None]:
        is_released = release(session, reference, context.tokens, settings=context.settings, now=now)
        return is_released, find_by_reference(session, Lead, reference)

    is_released, lead = await context.store.write(release_and_read)
    if is_released:
        context.wake()
    return lead


CONFIRMATION_ROUTES = routes_for("/confirm/{token}", confirm, "GET", "POST")

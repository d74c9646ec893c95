"""The calls that take a lead: one for each kind, made from it."""

from starlette.requests import Request

from site_app.api.call import Call
from site_app.api.office import Office
from site_app.contracts.answer import Taken
from site_app.contracts.submission import Reachable
from site_app.leads.keep import Submitted, keep_all
from site_app.leads.kind import LeadKind
from site_app.metrics import took_lead

_REFUSES = (400, 413, 415, 422, 503)


def call_of(kind: LeadKind) -> Call:
    """The call of that kind: what it takes is kept, and the courier woken for its mails."""

    async def take(office: Office, request: Request, said: Reachable) -> Taken:
        context = await office.context_of(said, request)
        entry = await office.store.write_together(keep_all, Submitted(kind, said, context))
        office.wake()
        took_lead(kind.name, quarantined=entry.quarantined)
        return Taken(reference=entry.reference, quarantined=entry.quarantined)

    return Call(
        "POST",
        f"/v1.0/{kind.call}",
        kind.call,
        kind.summary,
        take,
        Taken,
        takes=kind.contract,
        limit="submissions",
        refuses=_REFUSES,
        label=kind.label,
    )

"""The calls that take a lead: all alike but for the contract, and the service that keeps it."""

from collections.abc import Callable
from typing import Any

from sqlmodel import Session
from starlette.requests import Request

from site_app.api.call import Call
from site_app.api.office import Office
from site_app.contracts.answer import Taken
from site_app.contracts.submission import Reachable
from site_app.metrics import took_lead
from site_app.services.leads import Desk

Accept = Callable[[Session, Any, Desk], dict[str, Any]]
_REFUSES = (400, 413, 415, 422, 503)


def submission(name: str, kind: str, summary: str, contract: type[Reachable], accept: Accept) -> Call:
    """The call of that name: what it takes is kept by `accept`, and the courier woken for its mails."""

    async def take(office: Office, request: Request, said: Reachable) -> Taken:
        desk = await office.desk_for(said)
        answer = await office.store.write(lambda session: accept(session, said, desk))
        office.wake()
        took_lead(kind, quarantined=answer["quarantined"])
        return Taken(**answer)

    return Call("POST", f"/v1.0/{name}", name, summary, take, Taken, takes=contract, limit="submissions", refuses=_REFUSES)

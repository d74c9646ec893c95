"""requestQuote, sendMessage and submitAffiliateRequest."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from sqlmodel import Session
from starlette.requests import Request

from site_app.api.office import Office
from site_app.contracts.answer import Taken
from site_app.contracts.submission import Submission
from site_app.metrics import took_lead
from site_app.services.affiliates import accept_application
from site_app.services.leads import Desk
from site_app.services.messages import accept_message
from site_app.services.quotes import request_quote as accept_quote

Accept = Callable[[Session, Any, Desk], dict[str, Any]]


async def request_quote(office: Office, request: Request, submission: Submission) -> BaseModel:
    return await _taken(office, submission, accept_quote, kind="quote")


async def send_message(office: Office, request: Request, submission: Submission) -> BaseModel:
    return await _taken(office, submission, accept_message, kind="message")


async def submit_affiliate_request(office: Office, request: Request, submission: Submission) -> BaseModel:
    return await _taken(office, submission, accept_application, kind="affiliate")


async def _taken(office: Office, submission: Submission, accept: Accept, *, kind: str) -> Taken:
    desk = office.desk(submission)
    answer = await office.store.write(lambda session: accept(session, submission, desk))
    office.wake()
    took_lead(kind, quarantined=answer["quarantined"])
    return Taken(**answer)

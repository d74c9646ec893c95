"""Builders at a fixed moment: a submission context, messages, and requests for a meeting."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from site_app.contracts.kinds.message import MESSAGE, Message
from site_app.contracts.meeting import MeetingRequest
from site_app.core.settings import Settings
from site_app.provider.http.tokens import Tokens
from site_app.provider.leads.storing import IncomingLead, SubmissionContext, store_leads
from site_app.provider.store import Store
from tests.support import builders

SETTINGS = Settings(booking_length=timedelta(minutes=30), booking_buffer=timedelta(minutes=15))
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)  # a Monday, 09:00 in London
TEN, HALF_PAST_TEN, NOON = "20260602T0900Z", "20260602T0930Z", "20260602T1100Z"  # the next day, London time


def submission_context(now: datetime = NOW, settings: Settings = SETTINGS, **changes: Any) -> SubmissionContext:
    return SubmissionContext(settings=settings, tokens=Tokens("x" * 32, lambda: now), now=now, **changes)


async def send(store: Store, context: SubmissionContext, submission: Message | None = None) -> str:
    """Stores a message and returns its reference."""
    incoming_lead = IncomingLead(MESSAGE, submission or Message.model_validate(builders.message()), context)
    return (await store.write(lambda session: store_leads(session, [incoming_lead])[0])).reference


def request(slot: str = TEN, **changes: Any) -> MeetingRequest:
    fields = builders.meeting(key=str(uuid.uuid4()), slot=slot, time_zone="Asia/Bangkok") | changes
    return MeetingRequest.model_validate(fields)


def later(**duration: float) -> datetime:
    return NOW + timedelta(**duration)

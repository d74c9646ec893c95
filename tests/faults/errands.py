"""What visitors send in a trial: every call that takes what a form sends, in turn; a new one is among them by itself."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
from sqlmodel import SQLModel

from site_app.store.tables import Lead, Meeting
from tests.builders import SUBMISSIONS, message

KEPT: tuple[type[SQLModel], ...] = (Lead, Meeting)  # where what was sent ends up
_BOOKING = "bookMeeting"
# Calls day and night, one beside the other: enough slots for a trial in which every fourth visitor books one.
MANY_SLOTS: Any = {  # settings of the site
    "booking_days": "mon,tue,wed,thu,fri,sat,sun",
    "booking_hours": "00:00-24:00",
    "booking_buffer": "0s",
}
Errand = tuple[str, dict[str, Any]]


async def errands(client: httpx.AsyncClient) -> Iterator[Errand]:
    """The path of a call and a new payload for it, without end; nobody wants a slot that somebody else was given."""
    slots = [one["id"] for one in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]]
    token = (await client.get("/v1.0/formToken")).json()["token"]
    return _endless(iter(slots), token)


def _endless(slots: Iterator[str], token: str) -> Iterator[Errand]:
    for _ in count():
        for call, (_, build) in SUBMISSIONS.items():
            chosen = {"slot": next(slots)} if call == _BOOKING else {}
            yield f"/v1.0/{call}", build(token=token, **chosen)


def messages() -> Iterator[Errand]:
    """A new message, without end."""
    while True:
        yield "/v1.0/sendMessage", message()

"""The form state's handling of every kind of reply from the provider."""

import asyncio
import pickle
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import stamina

from site_app.client import ProviderError, install
from site_app.content.form_words import network_error
from site_app.contracts.kinds import BY_NAME, LEAD_KINDS
from site_app.contracts.meeting import Booked, CalendarLinks, Slot, SlotRefused
from site_app.contracts.reply import Accepted, Refusal, Refused
from site_app.contracts.submission import SubmissionKind
from site_app.core.i18n import current
from site_app.forms import form as forms
from site_app.forms.form import FORMS
from site_app.forms.views.consultation import CONSULTATION
from site_app.states.snackbar import SnackbarState
from tests.support.builders import SUBMISSIONS, meeting, message, quote
from tests.support.states import Visitor

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef"
MESSAGE, QUOTE = BY_NAME["message"], BY_NAME["quote"]
START = datetime(2030, 1, 2, 9, 30, tzinfo=UTC)
SLOT = Slot(id="20300102T0930Z", start=START, end=START + timedelta(minutes=30))
BOOKED = Booked(
    reference="C-7F3K-29",
    slot=SLOT,
    time_zone="Asia/Bangkok",
    day="Wednesday 2 January 2030",
    clocks="16:30 Bangkok · 09:30 London",
    conferencing_url="https://meet.example.com/room",
    manage_url="https://example.com/meetings/secret",
    calendar=CalendarLinks(ics="https://example.com/a.ics", google="https://google.test", outlook="https://outlook.test"),
)


class RepliesInTurn:
    """Returns the given replies in turn; an exception is raised."""

    def __init__(self, *replies: Accepted | Booked | Refused | Exception) -> None:
        self.replies = list(replies)
        self.calls: list[tuple[str, dict[str, Any], str]] = []
        self.languages: list[str] = []

    async def submit(self, call: str, payload: dict[str, Any], *, client_ip: str) -> Any:
        self.calls.append((call, payload, client_ip))
        self.languages.append(current().id)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


@pytest.fixture
def provider() -> Callable[..., RepliesInTurn]:
    def replying(*replies: Accepted | Booked | Refused | Exception) -> RepliesInTurn:
        fake = RepliesInTurn(*replies)
        install(fake)  # type: ignore[arg-type]
        return fake

    return replying


@pytest.fixture(autouse=True)
def no_pauses() -> Iterator[None]:
    with stamina.set_testing(True, attempts=4):
        yield


class ReplyTime:
    """Stands for the seconds in which the browser must receive the reply to a booking."""

    def __init__(self) -> None:
        self.begun, self.over = asyncio.Event(), asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.begun.set()
        await self.over.wait()


@pytest.fixture
def reply_time(monkeypatch: pytest.MonkeyPatch) -> ReplyTime:
    time = ReplyTime()
    monkeypatch.setattr(forms, "sleep", time.sleep)
    return time


def payload_of(build: Callable[..., dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """Returns a browser's payload: the fields without the key, which is sent separately."""
    fields = build(**changes)
    del fields["key"]
    return fields


def visitor_of(kind: SubmissionKind, path: str = "/") -> Any:
    return Visitor(FORMS[kind.name].state, path)


async def submit(visitor: Visitor, fields: Any, key: Any = KEY, attempt: Any = 1) -> None:
    await visitor.run(type(visitor.state).submit, fields, key, attempt)


async def booking(visitor: Visitor, reply_time: ReplyTime) -> "asyncio.Task[None]":
    """Submits a booking and returns its event, which has replied and waits."""
    event = asyncio.ensure_future(submit(visitor, payload_of(meeting)))
    await reply_time.begun.wait()
    return event


@pytest.mark.parametrize("kind", LEAD_KINDS)
async def test_a_submission_is_acknowledged_with_its_reference(kind: SubmissionKind, provider: Any) -> None:
    fake, visitor = provider(Accepted(reference="Q-7F3K-29")), visitor_of(kind)

    await submit(visitor, payload_of(SUBMISSIONS[kind.call][1]), attempt=7)

    ((call, submission, client_ip),) = fake.calls
    assert (call, submission["key"], client_ip) == (kind.call, KEY, "203.0.113.9")
    reply = visitor.state.reply
    assert (reply["outcome"], reply["key"], reply["attempt"], reply["reference"]) == ("sent", KEY, 7, "Q-7F3K-29")
    message_shown = visitor.state_of(SnackbarState).snack_bar_data
    assert message_shown["type"] == "success"
    assert message_shown["text"]


async def test_the_provider_gets_the_language_of_the_page(provider: Any) -> None:
    fake = provider(Accepted(reference="M-7F3K-29"))

    await submit(visitor_of(MESSAGE, "/contact-us"), payload_of(message))
    await submit(visitor_of(MESSAGE, "/th/contact-us"), payload_of(message))

    assert fake.languages == ["en", "th"]


async def test_an_error_found_by_the_provider_is_shown_at_its_field(provider: Any) -> None:
    visitor = visitor_of(QUOTE)
    provider(Refused(error=Refusal(code="invalid", message="Please check", fields={"email": "Email address invalid"})))

    await submit(visitor, payload_of(quote))

    assert visitor.state.reply["outcome"] == "refused"
    assert visitor.state.reply["fields"] == {"email": "Email address invalid"}


async def test_a_time_that_is_gone_is_a_refusal_of_its_field(provider: Any, reply_time: ReplyTime) -> None:
    visitor = visitor_of(CONSULTATION)
    provider(SlotRefused(error=Refusal(code="slot_gone", message="Gone", fields={"slot": "Taken"})))

    await booking(visitor, reply_time)

    assert (visitor.state.reply["outcome"], visitor.state.reply["fields"]) == ("refused", {"slot": "Taken"})


async def test_a_booking_is_answered_with_its_details_until_the_browser_has_them(provider: Any, reply_time: ReplyTime) -> None:
    fake, visitor = provider(BOOKED), visitor_of(CONSULTATION)

    event = await booking(visitor, reply_time)
    reply = visitor.state.reply
    reply_time.over.set()
    await event

    assert [call for call, _, _ in fake.calls] == ["bookMeeting"]
    assert (reply["outcome"], reply["details"]["manage_url"], reply["details"]["slot"]["id"]) == (
        "sent",
        BOOKED.manage_url,
        SLOT.id,
    )
    assert visitor.state.reply is None


async def test_the_reply_to_a_newer_attempt_at_booking_is_kept(provider: Any, reply_time: ReplyTime) -> None:
    visitor = visitor_of(CONSULTATION)
    provider(BOOKED)

    event = await booking(visitor, reply_time)
    visitor.state.reply = {**visitor.state.reply, "attempt": 2}
    reply_time.over.set()
    await event

    assert visitor.state.reply["attempt"] == 2


async def test_a_provider_that_comes_back_in_time_is_not_noticed(provider: Any) -> None:
    fake, visitor = provider(ProviderError(), ProviderError(), Accepted(reference="M-7F3K-29")), visitor_of(MESSAGE)

    await submit(visitor, payload_of(message))

    assert visitor.state.reply["outcome"] == "sent"
    assert {submission["key"] for _, submission, _ in fake.calls} == {KEY}


async def test_a_provider_that_stays_away_is_a_network_error_that_can_be_tried_again(provider: Any) -> None:
    visitor = visitor_of(MESSAGE)
    provider(ProviderError())

    await submit(visitor, payload_of(message), attempt=3)

    assert (visitor.state.reply["outcome"], visitor.state.reply["attempt"]) == ("failed", 3)
    snackbar = visitor.state_of(SnackbarState)
    data = snackbar.snack_bar_data
    assert (data["type"], data["text"], data["timeout"]) == ("error", network_error(), 0)
    assert (data["show_action_button"], snackbar.action) == (True, "submit:message")


@pytest.mark.parametrize(
    ("fields", "key", "attempt"), [(None, KEY, 1), ([], KEY, 1), ({}, None, 1), ({}, 5, 1), ({}, KEY, "1"), ({}, KEY, True)]
)
async def test_a_forged_delivery_event_changes_nothing(fields: Any, key: Any, attempt: Any, provider: Any) -> None:
    fake, visitor = provider(Accepted(reference="M-7F3K-29")), visitor_of(MESSAGE)

    await submit(visitor, fields, key, attempt)

    assert fake.calls == []
    assert visitor.state.reply is None


async def test_no_text_of_a_visitor_stays_in_the_state(provider: Any) -> None:
    visitor = visitor_of(MESSAGE)
    provider(Accepted(reference="M-7F3K-29"))

    await submit(visitor, payload_of(message, full_name="Canary", message="Canary sings here"))

    stored = pickle.dumps((visitor.state, visitor.state_of(SnackbarState)))
    assert b"sent" in stored
    assert b"Canary" not in stored

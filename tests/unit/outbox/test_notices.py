"""Slack, Teams, Discord, Telegram and webhooks are told of events in the form each takes, and of visitors no more than was promised."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from site_app.core.service_table import SERVICE_TABLE
from site_app.core.settings import Settings
from site_app.core.settings.targets import NOTICE_SERVICES, Target, targets
from site_app.provider.booking.mails import Occasion, meeting_rows, no_show_rows
from site_app.provider.leads.mails import lead_rows, status_event
from site_app.provider.outbox.courier import Courier
from site_app.provider.outbox.mail import CalendarFile
from site_app.provider.outbox.notices import event_rows, row_of_test, target_states
from site_app.provider.outbox.targets import Chat, target_transports, telegram
from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store import Store, insert_rows
from site_app.provider.store.tables import NewOutbox, Outbox
from tests.support.clock import Clock
from tests.support.outbox import MemoryTransport, a_row, deliver_by, deliver_due
from tests.support.records import CALENDAR, NOW, a_meeting, a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, rows_in
from tests.unit.outbox.local_servers import Certificate, this_machine

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[3]
SCHEMAS = {service: Path(__file__).parent / f"schemas/{service}.json" for service in NOTICE_SERVICES[:-1]}
BOT = "123456:AAabcdefghijklmnopqrstuvwxyz"
KEY = "k" * 24
NOTIFYING = replace(
    Settings(url="https://www.example.com", office=("ada@example.com:owner",)),
    notify="slack=https://slack.test/services/x all; teams=https://teams.test/workflows/a?sp=%2Ftriggers%2Frun&sig=b all;"
    f"discord=https://discord.test/api/webhooks/1/x all; telegram={BOT}/@sales_team all;"
    f"webhook:crm=https://crm.test/hook key={KEY} all",
)
CHATS = [target for target in NOTIFYING.targets if target.service != "webhook"]
HOSTILE = "<!channel> [Ada](https://evil.example.com) **@everyone** &amp; <b>"


def validate(schema: Path, document: Any) -> None:
    Draft202012Validator(json.loads(schema.read_text()), validate_formats=True).validate(document)


@dataclass
class Server:
    """A stub of a service: keeps what was posted to it, and answers as its service does; without an answer it hangs."""

    reply: bytes | None = b"HTTP/1.1 204 No Content\r\n\r\n"
    port: int = 0
    requests: list[str] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request, *head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        length = next(int(line.partition(": ")[2]) for line in head if line.lower().startswith("content-length"))
        self.requests.append(request)
        self.bodies.append(json.loads(await reader.readexactly(length)))
        if self.reply is None:
            await asyncio.Event().wait()
        else:
            writer.write(self.reply)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def stub(certificate: Certificate, reply: bytes | None = b"HTTP/1.1 204 No Content\r\n\r\n") -> AsyncIterator[Server]:
    service = Server(reply)
    server = await asyncio.start_server(service, "127.0.0.1", 0, ssl=certificate.server)
    service.port = server.sockets[0].getsockname()[1]
    yield service
    server.close()


def connection_options(certificate: Certificate) -> dict[str, Any]:
    return {"resolve": this_machine, "allowed": lambda _: True, "trust": certificate.client}


def at(target: Target, port: int) -> Target:
    """The same target on this machine."""
    path = target.url.partition(target.host)[2]
    return replace(target, url=f"https://crm.test:{port}{path}")


def stored(row: NewOutbox) -> Outbox:
    return Outbox(**row.model_dump())


def meeting_events(occasion: str, settings: Settings, **changes: Any) -> list[NewOutbox]:
    calendar_file = CalendarFile(CALENDAR, "REQUEST")
    rows = meeting_rows(
        Occasion(occasion),
        a_meeting(**changes),
        manage_url="https://x/secret",
        calendar_file=calendar_file,
        settings=settings,
        now=NOW,
    )
    return [row for row in rows if row.kind != "mail"]


def every_event(settings: Settings) -> list[NewOutbox]:
    """The rows of every kind of event there is."""
    files = [{"name": "brief.pdf", "size": 7}]
    leads = (a_quote(), a_message(), an_application(), a_quote(status="released"))
    rows = [row for lead in leads for row in lead_rows(lead, files=files, settings=settings, now=NOW) if row.kind != "mail"]
    for occasion, changes in (("booked", {}), ("moved", {"sequence": 1}), ("cancelled", {"sequence": 2, "state": "cancelled"})):
        rows += meeting_events(occasion, settings, **changes)
    rows += no_show_rows(a_meeting(state="no-show"), settings=settings, now=NOW, with_mail=False)
    for row in (a_quote(status="won", version=1), a_meeting(status="answered", version=1)):
        rows += event_rows(status_event(row, "new", "ada@example.com", settings), settings=settings, now=NOW)
    return rows + [row_of_test(target, settings=settings, now=NOW) for target in settings.targets]


def lines(settings: Settings, service: str = "slack") -> list[str]:
    return [row.payload["line"] for row in every_event(settings) if row.recipient == service]


@pytest.mark.parametrize("target", CHATS, ids=lambda target: target.service)
async def test_a_service_gets_each_event_in_the_form_it_takes(certificate: Certificate, target: Target) -> None:
    rows = [stored(row) for row in every_event(NOTIFYING) if row.recipient == target.name]
    async with stub(certificate) as service:
        for row in rows:
            await Chat(at(target, service.port), **connection_options(certificate)).send(row)

    for body in service.bodies:
        validate(SCHEMAS[target.service], body)
    first = json.dumps(service.bodies[0])
    assert "Q-7F3K-29" in first.replace("\\\\", "")
    assert "https://www.example.com/office/leads/Q-7F3K-29" in first


async def test_an_address_is_requested_as_it_was_set(certificate: Certificate) -> None:
    requests = {}
    for target in CHATS:
        async with stub(certificate) as service:
            await Chat(at(target, service.port), **connection_options(certificate)).send(
                stored(row_of_test(target, settings=NOTIFYING, now=NOW))
            )
        requests[target.service] = service.requests[0]

    assert requests == {
        "slack": "POST /services/x HTTP/1.1",
        "teams": "POST /workflows/a?sp=%2Ftriggers%2Frun&sig=b HTTP/1.1",
        "discord": "POST /api/webhooks/1/x?wait=true HTTP/1.1",
        "telegram": f"POST /bot{BOT}/sendMessage HTTP/1.1",
    }


@pytest.mark.parametrize("target", CHATS, ids=lambda target: target.service)
async def test_a_service_that_refuses_is_tried_again(certificate: Certificate, target: Target) -> None:
    async with stub(certificate, b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n") as service:
        with pytest.raises(NotDelivered, match="HTTP 429"):
            await Chat(at(target, service.port), **connection_options(certificate)).send(
                stored(row_of_test(target, settings=NOTIFYING, now=NOW))
            )


@pytest.mark.parametrize("target", CHATS, ids=lambda target: target.service)
async def test_a_chat_in_a_private_network_is_not_called(target: Target) -> None:
    with pytest.raises(NotDelivered, match="PrivateAddress"):
        await Chat(replace(target, url="https://localhost/x")).send(stored(row_of_test(target, settings=NOTIFYING, now=NOW)))


async def test_a_visitors_words_are_no_markup(certificate: Certificate) -> None:
    settings = replace(NOTIFYING, notify_names=True)
    rows = {row.recipient: row for row in lead_rows(a_message(full_name=HOSTILE), settings=settings, now=NOW)}
    bodies: dict[str, Any] = {}
    for target in CHATS:
        async with stub(certificate) as service:
            await Chat(at(target, service.port), **connection_options(certificate)).send(stored(rows[target.name]))
        bodies[target.service] = service.bodies[0]

    section = bodies["slack"]["blocks"][0]["text"]
    assert (section["type"], HOSTILE in section["text"]) == ("plain_text", True)
    assert "<" not in bodies["slack"]["text"]
    assert bodies["teams"]["attachments"][0]["content"]["body"][0]["type"] == "RichTextBlock"
    assert r"\*\*\@everyone\*\*" in bodies["discord"]["content"]
    assert bodies["discord"]["allowed_mentions"] == {"parse": []}
    assert "parse_mode" not in bodies["telegram"]
    assert HOSTILE in bodies["telegram"]["text"].replace("\u2060", "")


def test_a_notice_holds_kind_reference_country_and_services_and_no_name() -> None:
    web, brand = (row.name() for row in SERVICE_TABLE if row.slug in ("web_development", "brand_creation"))

    messages = lines(NOTIFYING)

    assert messages[0] == f"Quote request Q-7F3K-29 from United Kingdom: {web}, {brand}"
    assert messages[1] == "Message M-7F3K-29 from a visitor"
    assert any("C-7F3K-29" in line and "Europe/London" in line for line in messages)
    assert "new → won, by ada" in " ".join(messages)
    assert not any(
        word in line for line in messages for word in ("Ada", "Lovelace", "example.org", "Looms", "machine", "question")
    )


def test_chats_get_names_only_if_the_setting_allows_it() -> None:
    messages = lines(replace(NOTIFYING, notify_names=True))

    assert "Ada Lovelace" in messages[0]
    assert not any(word in line for line in messages for word in ("example.org", "Looms", "machine", "question"))


def test_a_line_is_one_line_and_not_endless() -> None:
    settings = replace(NOTIFYING, notify_names=True)
    (row, *_) = [
        row for row in lead_rows(a_quote(full_name="A\n\u202eB " * 200), settings=settings, now=NOW) if row.kind == "notice"
    ]

    assert len(row.payload["line"]) <= 240
    assert row.payload["line"].isprintable()


def test_a_webhook_gets_each_event_after_the_documented_schema() -> None:
    rows = [row for row in every_event(NOTIFYING) if row.recipient == "webhook:crm"]

    for row in rows:
        validate(ROOT / "docs/operate/webhook-event.schema.json", row.payload)
    assert {row.payload["type"] for row in rows} == {
        "lead.created", "lead.released", "meeting.booked", "meeting.moved", "meeting.cancelled", "meeting.no-show", "status", "test",
    }  # fmt: skip
    assert "secret" not in json.dumps([row.payload for row in rows]), "the link that moves a call is the visitor's"
    assert len({row.message_id for row in rows}) == len(rows)


def test_the_first_webhook_gets_the_events_of_earlier_releases() -> None:
    settings = Settings(webhook_url="https://crm.example.com/", webhook_secret="s" * 24)
    rows = every_event(settings)

    assert {row.payload["type"] for row in rows} == {"lead.created", "test"}
    assert [row.payload["data"]["kind"] for row in rows[:-1]] == ["quote", "message", "affiliate", "quote", "meeting"]
    for row in rows:
        validate(ROOT / "docs/operate/webhook-event.schema.json", row.payload)


def test_a_target_gets_the_events_it_names_and_its_row_holds_no_secret() -> None:
    settings = replace(
        NOTIFYING, notify="slack=https://slack.test/services/canary meeting.moved; discord=https://discord.test/canary status"
    )

    rows = [row for row in every_event(settings) if row.template != "test"]

    assert {(row.recipient, row.template) for row in rows} == {("slack", "meeting.moved"), ("discord", "status")}
    assert "canary" not in json.dumps([row.model_dump(mode="json") for row in rows])


def test_without_an_office_there_is_no_link() -> None:
    rows = lead_rows(a_quote(), settings=replace(NOTIFYING, office=()), now=NOW)

    assert {row.payload["url"] for row in rows if row.kind == "notice"} == {""}


async def test_a_hanging_target_delays_no_other_and_no_mail(
    store: Store, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_app.provider.outbox.courier._GRACE_SECONDS", 0.1)  # at the end, for what hangs
    settings = replace(NOTIFYING, notify=NOTIFYING.notify.partition(";")[0] + "; slack:other=https://other.test/x all")
    transport = MemoryTransport()
    hanging = [stored(row) for lead in range(40) for row in _rows(settings, f"Q-{lead:04}", "slack")]
    later_rows = [stored(row) for row in _rows(settings, "Q-9999", "slack:other")]
    for row in (*hanging, *later_rows):
        row.created_at = row.next_attempt_at = Clock().now
    mail = a_row(7)
    mail.next_attempt_at = Clock().now
    async with stub(certificate, reply=None) as silent, stub(certificate) as well:
        ports = {"slack": silent.port, "slack:other": well.port}
        chats = {
            name: Chat(at(target, ports[name]), **connection_options(certificate))
            for name, target in _by_name(settings).items()
        }

        async def call(row: Outbox) -> None:
            await chats[row.recipient].send(row)

        await add_rows(store, *hanging, *later_rows, mail)
        deliver_by_kind = {"mail": deliver_by(transport), "notice": call}
        running = asyncio.create_task(
            Courier(store, deliver_by_kind, give_up=settings.mail_give_up, clock=Clock()).deliver_forever()
        )
        async with asyncio.timeout(4):  # half of what a hanging target may take
            while not (well.bodies and transport.mails):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    assert len(silent.bodies) == 1, "one at a time"


def _rows(settings: Settings, reference: str, name: str) -> list[NewOutbox]:
    return [row for row in lead_rows(a_quote(reference=reference), settings=settings, now=NOW) if row.recipient == name]


def _by_name(settings: Settings) -> dict[str, Target]:
    return {target.name: target for target in settings.targets}


async def test_a_waiting_notice_goes_to_the_current_address_of_its_target(store: Store, certificate: Certificate) -> None:
    rows = [stored(row) for row in _rows(NOTIFYING, "Q-0001", "slack")]
    async with stub(certificate) as service:
        moved = replace(NOTIFYING, notify=f"slack=https://crm.test:{service.port}/new all")
        way = target_transports(moved, Clock(), **connection_options(certificate))["slack"]
        for row in rows:
            await way.send(row)

    assert service.requests == ["POST /new HTTP/1.1"]


async def test_the_last_notice_of_each_target_is_known(store: Store) -> None:
    async def refuse(row: Outbox) -> None:
        raise NotDelivered("HTTP 404")

    async def take(row: Outbox) -> None:
        pass

    clock = Clock()

    async def deliver(way: Any, reference: str, minutes: int) -> None:
        clock.advance(timedelta(minutes=minutes))
        rows = [row for target in NOTIFYING.targets[:1] for row in [row_of_test(target, settings=NOTIFYING, now=clock.now)]]
        await store.write(lambda session: insert_rows(session, Outbox, rows))
        await deliver_due(Courier(store, {"notice": way}, give_up=NOTIFYING.mail_give_up, clock=clock), store, clock)

    async def state() -> tuple[bool, str]:
        (first, *other_targets) = await store.read(lambda session: target_states(session, NOTIFYING))
        assert all(target.last_sent_at is None and not target.problem for target in other_targets)
        return first.last_sent_at is not None, first.problem

    assert await state() == (False, "")
    await deliver(refuse, "1", 0)
    assert await state() == (False, "HTTP 404")
    await deliver(take, "2", 1)
    assert await state() == (True, "")
    await deliver(refuse, "3", 60)
    assert await state() == (True, "HTTP 404")
    assert len(await rows_in(store, Outbox)) == 3


def test_targets_are_read_from_the_settings_by_name() -> None:
    assert [target.name for target in targets(NOTIFYING.notify)] == ["slack", "teams", "discord", "telegram", "webhook:crm"]


def test_a_visitors_name_becomes_no_link_mention_or_command_in_telegram() -> None:
    """Telegram makes links of them in text without markup too; a word joiner (U+2060) is invisible and ends them."""
    message = telegram("New quote request from @boss evil.example /start #pay a@b.example https://evil.example/x. Q-1", "", "1")

    text = message["text"]
    assert not re.search(r"@\w|/\w|\w\.\w|#\w|//", text)
    assert (
        text.replace("\u2060", "")
        == "New quote request from @boss evil.example /start #pay a@b.example https://evil.example/x. Q-1"
    )
    assert (
        telegram("A", "https://www.example.com/office/leads/Q-1", "1")["text"] == "A\nhttps://www.example.com/office/leads/Q-1"
    )

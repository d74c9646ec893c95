"""Every mail is delivered in the end, and a failing mail delays no other."""

from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store import Store
from site_app.provider.store.tables import Outbox
from tests.support.clock import Clock
from tests.support.mail_server import closed_port, mail_server
from tests.support.outbox import a_mail, a_row, courier, deliver_by, deliver_due, smtp
from tests.support.stored_rows import add_rows, rows_in

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("fault", ["421", "451", "550", "stalled"])
async def test_a_refused_mail_is_sent_later(store: Store, fault: str) -> None:
    clock = Clock()
    await add_rows(store, a_row())
    async with mail_server(fault) as server:
        worker = courier(store, clock, deliver_by(smtp(server.port, seconds=0.2 if fault == "stalled" else 5)))
        await deliver_due(worker, store, clock)
        accepted_at_first = len(server.accepted)
        clock.advance(timedelta(minutes=1))
        await deliver_due(worker, store, clock)

    (row,) = await rows_in(store, Outbox)
    assert accepted_at_first == 0
    assert (row.status, row.attempts) == ("sent", 2)
    assert "visitor1@example.org" in server.recipients


async def test_a_mail_is_retried_after_the_server_was_down(store: Store) -> None:
    clock, port = Clock(), await closed_port()
    await add_rows(store, a_row())
    worker = courier(store, clock, deliver_by(smtp(port)))

    await deliver_due(worker, store, clock)

    (row,) = await rows_in(store, Outbox)
    assert (row.status, row.last_error) == ("waiting", "SMTPConnectError")
    assert row.next_attempt_at > clock.now


async def test_an_unacknowledged_mail_is_sent_again_with_the_same_id(store: Store) -> None:
    clock = Clock()
    await add_rows(store, a_row())
    async with mail_server("dropped after DATA") as server:
        worker = courier(store, clock, deliver_by(smtp(server.port)))
        await deliver_due(worker, store, clock)
        clock.advance(timedelta(minutes=1))
        await deliver_due(worker, store, clock)

    assert [mail["Message-ID"] for mail in server.accepted] == ["<Q-1.answer.0@example.com>"] * 2
    assert (await rows_in(store, Outbox))[0].status == "sent"


async def test_an_accepted_mail_is_not_sent_again_after_a_broken_quit(store: Store) -> None:
    await add_rows(store, a_row())
    async with mail_server("rude at QUIT") as server:
        await deliver_due(courier(store, Clock(), deliver_by(smtp(server.port))), store)

    assert len(server.accepted) == 1
    assert (await rows_in(store, Outbox))[0].status == "sent"


async def test_one_stalled_mail_holds_up_no_other(store: Store) -> None:
    await add_rows(store, *(a_row(number) for number in range(1, 7)))
    async with mail_server("stalled") as server:
        await deliver_due(courier(store, Clock(), deliver_by(smtp(server.port, seconds=0.5))), store)
        statuses = sorted(row.status for row in await rows_in(store, Outbox))

    assert statuses == ["sent"] * 5 + ["waiting"]


async def test_the_problem_is_recorded_without_the_address(store: Store) -> None:
    await add_rows(store, a_row())
    with capture_logs() as lines:
        async with mail_server("550") as server:
            await deliver_due(courier(store, Clock(), deliver_by(smtp(server.port))), store)

    assert lines[0]["error"] == "SMTPRecipientRefused 550"
    assert "visitor1" not in str(lines) + (await rows_in(store, Outbox))[0].last_error


async def test_no_mail_is_sent_without_the_required_tls(store: Store) -> None:
    async with mail_server() as server:
        with pytest.raises(NotDelivered):
            await smtp(server.port, security="starttls").send(a_mail(a_row()))

    assert server.accepted == []

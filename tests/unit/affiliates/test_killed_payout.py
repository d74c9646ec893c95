"""Two owners mark months as paid in two processes, and both processes are killed, again and again: none is doubled, none lost."""

import asyncio
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import Session, create_engine, func, select

from site_app.provider.affiliates.ledger import add_months
from site_app.provider.store import Store
from site_app.provider.store.tables import AffiliateEntry, CustomerPayment, Partner, Payout, Referral
from tests.support.records import NOW
from tests.unit.affiliates.paying import COMMISSION, FIRST_MONTH

pytestmark = pytest.mark.anyio
SECONDS_PER_ROUND = 60


@pytest.mark.parametrize(("rounds", "months"), [(1, 200), pytest.param(20, 300, marks=pytest.mark.slow)])
async def test_a_kill_while_months_are_marked_as_paid(store: Store, url: str, rounds: int, months: int) -> None:
    await store.write(lambda session: _add_a_partner_with_payments(session, months))
    acknowledged: list[str] = []
    killed_amid_paying = 0
    for _ in range(rounds):
        paid_before = len(await store.read(_payouts))
        lines, was_busy = await asyncio.to_thread(_kill_amid_paying, url, months, paid_before)
        acknowledged += lines
        killed_amid_paying += was_busy and paid_before < len(await store.read(_payouts)) < months
    unpaid_before = months - len(await store.read(_payouts))
    paid_after = await asyncio.to_thread(_pay_to_the_end, url, months)
    acknowledged += paid_after

    payouts = await store.read(_payouts)
    assert killed_amid_paying == rounds
    assert len(paid_after) == unpaid_before > 0
    assert Counter(payout.month for payout in payouts) == Counter(add_months(FIRST_MONTH, number) for number in range(months))
    assert sum(payout.amount for payout in payouts) == COMMISSION * months
    assert set(acknowledged) <= {str(payout.month) for payout in payouts}
    assert len(acknowledged) == len(set(acknowledged))
    log = await store.read(lambda session: session.exec(select(AffiliateEntry.subject)).all())
    assert Counter(log) == Counter(f"{payout.month:%Y-%m}" for payout in payouts)


def _kill_amid_paying(url: str, months: int, paid_before: int) -> tuple[list[str], bool]:
    """Kills two processes after the first payout of either. Returns the months that they have printed, and whether either was at work."""
    processes = [subprocess.Popen(_command(url, months), stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
        _wait_for_a_payout(url, paid_before)
        time.sleep(random.uniform(0, 0.02))
    finally:
        for process in processes:
            process.kill()
    outputs = [process.communicate(timeout=SECONDS_PER_ROUND)[0] for process in processes]
    was_busy = any(process.returncode == -signal.SIGKILL for process in processes)
    return [month for output in outputs for month in _months(output)], was_busy


def _wait_for_a_payout(url: str, paid_before: int) -> None:
    engine, deadline = create_engine(url), time.monotonic() + SECONDS_PER_ROUND
    with engine.connect() as connection:
        while connection.execute(select(func.count()).select_from(Payout)).scalar_one() <= paid_before:
            connection.rollback()  # each look is a transaction of its own, so that it sees what was stored since
            assert time.monotonic() < deadline, f"nobody pays after {paid_before} payouts"
            time.sleep(0.001)
    engine.dispose()


def _pay_to_the_end(url: str, months: int) -> list[str]:
    return _months(
        subprocess.run(_command(url, months), capture_output=True, text=True, check=True, timeout=5 * SECONDS_PER_ROUND).stdout
    )


def _command(url: str, months: int) -> list[str]:
    return [sys.executable, "-m", "tests.unit.affiliates.paying", url, str(months)]


def _months(output: str) -> list[str]:
    """Returns the whole lines that name months. A line that the kill cut off was not acknowledged to anybody."""
    return [line.strip() for line in output.splitlines(keepends=True) if line.endswith("\n") and line != "ready\n"]


def _payouts(session: Session) -> list[Payout]:
    return list(session.exec(select(Payout)))


def _add_a_partner_with_payments(session: Session, months: int) -> None:
    """Adds a partner whose customer has paid in each of so many months."""
    names: dict[str, Any] = {
        "name": "Pat",
        "email": "pat@partner.example",
        "paypal": "pat@partner.example",
        "terms_version": "2026-11-25",
    }
    session.add(Partner(id=1, code="K7F3M29Q", application="A-7F3K-29", applied_at=NOW, approved_on=date(1999, 12, 1), **names))
    session.flush()
    session.add(Referral(lead="Q-7F3K-29", partner_id=1, first_submission_on=date(1999, 12, 20)))
    session.flush()
    for number in range(months):
        month = add_months(FIRST_MONTH, number)
        days: dict[str, Any] = {"due_on": month, "contract_on": FIRST_MONTH, "received_on": month + timedelta(days=9)}
        terms: dict[str, Any] = {"lead": "Q-7F3K-29", "net": Decimal(1000), "currency": "GBP", "billing": "monthly"}
        session.add(CustomerPayment(reference=f"INV-{number}", **terms, **days))

"""python -m tests.unit.affiliates.paying URL MONTHS: marks so many months as paid, and prints each that is stored. Its test kills it."""

import asyncio
import sys
from datetime import UTC, date, datetime
from decimal import Decimal

from sqlmodel import Session, col, select

from site_app.core.settings import Settings
from site_app.provider.affiliates import payments
from site_app.provider.affiliates.ledger import add_months
from site_app.provider.affiliates.payments import PayoutRefused
from site_app.provider.store import Store
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Payout
from tests.support.affiliate_terms import example_terms

FIRST_MONTH = date(2000, 1, 1)
COMMISSION = Decimal(200)  # of each month
_OWNER = Actor("owner@agency.example", datetime(2026, 1, 1, tzinfo=UTC))


def _unpaid(session: Session, months: int) -> list[date]:
    paid = set(session.exec(select(col(Payout.month))))
    return [month for number in range(months) if (month := add_months(FIRST_MONTH, number)) not in paid]


async def _pay_all(url: str, months: int) -> None:
    store = Store(url)
    print("ready", flush=True)
    for month in await store.read(lambda session: _unpaid(session, months)):

        def pay(session: Session, month: date = month) -> Payout:
            return payments.mark_paid_out(session, 1, month, "GBP", COMMISSION, _OWNER, settings=Settings())

        try:
            await store.write(pay)
        except PayoutRefused:  # the other process was faster
            continue
        print(month, flush=True)
    store.close()


if __name__ == "__main__":
    with example_terms():
        asyncio.run(_pay_all(sys.argv[1], int(sys.argv[2])))

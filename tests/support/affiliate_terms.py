"""The figures of the affiliate terms that the examples of the tests are computed with, whatever the agency's terms say."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal

import pytest

from site_app.core import business

_FIGURES = {
    "COMMISSION": Decimal("0.20"),
    "EARLIER_COMMISSIONS": (),
    "PAYOUT_THRESHOLD_POUNDS": 100,
    "PAYOUT_DAYS": 30,
    "CONVERSION_MONTHS": 3,
    "MINIMUM_SUBSCRIPTION_MONTHS": 1,
    "PRIOR_OPPORTUNITY_DAYS": 90,
    "COMMISSION_YEARS": 1,
    "UNPAID_DAYS": 60,
    "TERMINATION_NOTICE_DAYS": 60,
}


@contextmanager
def example_terms() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, figure in _FIGURES.items():
            patch.setattr(business, name, figure)
        yield

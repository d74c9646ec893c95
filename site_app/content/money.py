"""Pounds, written as the language being written does."""

from decimal import Decimal

from babel import Locale
from babel.numbers import format_currency

from site_app.i18n import current


def pounds(amount: Decimal | int) -> str:
    """The amount without pence when there are none."""
    pattern = "¤#,##0" if amount == int(amount) else "¤#,##0.00"
    return format_currency(amount, "GBP", pattern, Locale.parse(current().babel), currency_digits=False)

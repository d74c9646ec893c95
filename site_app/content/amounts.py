"""Money and durations in words of the language being written."""

from decimal import Decimal

from babel import Locale
from babel.numbers import format_currency

from site_app.core.i18n import current, t

Range = tuple[int, int]


def pounds(amount: Decimal | int) -> str:
    """The amount without pence when there are none."""
    pattern = "¤#,##0" if amount == int(amount) else "¤#,##0.00"
    return format_currency(amount, "GBP", pattern, Locale.parse(current().babel), currency_digits=False)


def months(span: Range) -> str:
    least, most = span
    return t("{least} to {most} months", least=least, most=most)


def weeks(span: Range) -> str:
    least, most = span
    return t("{least} to {most} weeks", least=least, most=most)


def months_or_more(least: int) -> str:
    return t("{least} months or more", least=least)

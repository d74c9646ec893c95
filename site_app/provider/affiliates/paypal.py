"""What PayPal pays out: its currencies, and those of them that it takes in whole units only.

https://developer.paypal.com/docs/api/reference/currency-codes/ lists them. Real, yuan and ringgit are missing here, because accounts of
other countries cannot hold them, and the rouble, in which PayPal pays nobody at present.
"""

from decimal import ROUND_DOWN, Decimal

_WHOLE_UNITS = frozenset(["HUF", "JPY", "TWD"])
_CURRENCIES = _WHOLE_UNITS | frozenset(
    [
        "AUD",
        "CAD",
        "CHF",
        "CZK",
        "DKK",
        "EUR",
        "GBP",
        "HKD",
        "ILS",
        "MXN",
        "NOK",
        "NZD",
        "PHP",
        "PLN",
        "SEK",
        "SGD",
        "THB",
        "USD",
    ]
)


def is_paid_by_paypal(currency: str) -> bool:
    return currency in _CURRENCIES


def payable(amount: Decimal, currency: str) -> Decimal:
    """Returns what can be paid of an amount: all of it, or its whole units, where PayPal takes no others."""
    return amount.quantize(Decimal(1), ROUND_DOWN) if currency in _WHOLE_UNITS else amount

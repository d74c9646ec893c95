"""What the text of a variable means: truth, whole numbers, durations, lists."""

from datetime import timedelta
from typing import Any, get_args, get_origin

_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False, "": False}
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def value_of(text: str, kind: Any) -> Any:
    """The text as a value of this kind; raises ValueError with what it must be."""
    if get_origin(kind) is tuple:
        return tuple(value_of(part.strip(), get_args(kind)[0]) for part in text.split(",") if part.strip())
    if kind is bool:
        if text.lower() not in _TRUTH:
            raise ValueError("it must be true or false")
        return _TRUTH[text.lower()]
    if kind is timedelta:
        return timedelta(seconds=_seconds(text))
    if kind is int:
        if not text.lstrip("-").isdecimal():
            raise ValueError("it must be a whole number")
        return int(text)
    return kind(text)


def _seconds(text: str) -> float:
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = text[len(number) :]
    try:
        return float(number) * _UNITS[unit]
    except (ValueError, KeyError):
        raise ValueError("it must be a duration such as 800ms, 30s, 15m, 12h or 30d") from None

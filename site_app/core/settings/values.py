"""What the text of a variable means (truth, whole numbers, durations, lists), and how a value is shown."""

import re
from datetime import timedelta
from typing import Any, get_args, get_origin

_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZES = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))
LONGEST = timedelta(days=36_500)  # arithmetic with dates ends soon behind it


class BrokenSetting(Exception):
    """Variables say something the site cannot run with: a sentence for each, which begins with its name."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


def variable(name: str) -> str:
    """The variable of a field of the table."""
    return f"SITE_{name.upper()}"


def value_of(text: str, kind: Any) -> Any:
    """The text as a value of this kind; raises ValueError with what it must be."""
    if get_origin(kind) is tuple:
        return tuple(value_of(part.strip(), get_args(kind)[0]) for part in text.split(",") if part.strip())
    if kind is bool:
        if text.lower() not in _TRUTH:
            raise ValueError("it must be true or false")
        return _TRUTH[text.lower()]
    if kind is timedelta:
        return _duration(text)
    if kind is int:
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            raise ValueError("it must be a whole number")
        return int(text)
    return kind(text)


def written(value: object) -> str:
    """A value as the environment would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(str(one) for one in value)
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
        return next(
            (f"{int(seconds // size)}{unit}" for size, unit in _SIZES if seconds and seconds % size == 0), f"{seconds}s"
        )
    return str(value)


def _duration(text: str) -> timedelta:
    found = re.fullmatch(r"(-?[0-9]{1,15}(?:\.[0-9]{1,9})?) ?(ms|s|m|h|d)", text.lower())
    if not found:
        raise ValueError("it must be a duration such as 800ms, 30s, 15m, 12h or 30d")
    seconds = float(found[1]) * _UNITS[found[2]]
    if abs(seconds) > LONGEST.total_seconds():
        raise ValueError(f"it must be a duration of at most {LONGEST.days}d, such as 30d")
    return timedelta(seconds=seconds)


def masked(text: str, one: Any = None) -> str:
    """An address without what may be a key in it: user and password, query, and the whole path where that is the secret."""
    name = one.name if one is not None else ""
    if not ("://" in text or re.match(r"[^@\s]+:.+@", text)) or name.startswith("brand_"):
        return text
    scheme, mark, rest = text.partition("://") if "://" in text else ("", "", text)
    place = f"…@{rest.rpartition('@')[2]}" if "@" in rest else rest
    host, slash, _ = place.partition("/")
    keeps_path = name not in ("webhook_url", "booking_busy_url", "country_lookup_url")
    return scheme + mark + (re.sub(r"[?#].*", "?…", place, flags=re.DOTALL) if keeps_path else host + slash + "…")


def shown(text: str) -> str:
    """What was read, in quotes, on one line and not endless."""
    return ascii(text) if not text.isprintable() else repr(text if len(text) <= 120 else f"{text[:120]}…")

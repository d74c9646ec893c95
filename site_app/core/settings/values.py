"""Values of settings as text: parses and formats them, and hides secrets in what is shown."""

import re
from datetime import timedelta
from typing import Any, get_args, get_origin

_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZES = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))
MAX_DURATION = timedelta(days=36_500)  # far longer durations would overflow date arithmetic


class BrokenSetting(Exception):
    """Variables have values with which the site cannot run: one sentence for each, beginning with its name."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


def variable(name: str) -> str:
    """Returns the variable of a field of the table."""
    return f"SITE_{name.upper()}"


def value_of(text: str, kind: Any) -> Any:
    """Parses the text as a value of this type; raises ValueError with what it must be."""
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


def as_text(value: object) -> str:
    """Formats a value as it is written in the environment."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(as_text(item) for item in value)
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
        return next(
            (f"{int(seconds // size)}{unit}" for size, unit in _SIZES if seconds and seconds % size == 0), f"{seconds}s"
        )
    return str(value)


def _duration(text: str) -> timedelta:
    match = re.fullmatch(r"(-?[0-9]{1,15}(?:\.[0-9]{1,9})?) ?(ms|s|m|h|d)", text.lower())
    if not match:
        raise ValueError("it must be a duration such as 800ms, 30s, 15m, 12h or 30d")
    seconds = float(match[1]) * _UNITS[match[2]]
    if abs(seconds) > MAX_DURATION.total_seconds():
        raise ValueError(f"it must be a duration of at most {MAX_DURATION.days}d, such as 30d")
    return timedelta(seconds=seconds)


def masked(text: str, setting: Any = None) -> str:
    """Returns an address without possible secrets: user and password, query, and the whole path for settings whose path is a secret."""
    name = setting.name if setting is not None else ""
    if not ("://" in text or re.match(r"[^@\s]+:.+@", text)) or name.startswith("brand_"):
        return text
    scheme, mark, remainder = text.partition("://") if "://" in text else ("", "", text)
    place = f"…@{remainder.rpartition('@')[2]}" if "@" in remainder else remainder
    host, slash, _ = place.partition("/")
    keeps_path = name not in ("webhook_url", "booking_busy_url", "country_lookup_url")
    return scheme + mark + (re.sub(r"[?#].*", "?…", place, flags=re.DOTALL) if keeps_path else host + slash + "…")


def quoted(text: str) -> str:
    """Returns the text in quotes, on one line and truncated."""
    return ascii(text) if not text.isprintable() else repr(text if len(text) <= 120 else f"{text[:120]}…")

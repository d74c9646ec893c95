"""Parses what people type into forms and addresses of the office."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def parse_number(text: str) -> int:
    """Parses a number in a form field or query; returns -1 if the text is no number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def parse_day_and_time(day: str, hour: str, zone: str, *, is_end: bool = False) -> datetime | None:
    """Parses a day and an optional time in the agency's time zone, or returns None. An end without a time is the end of that day."""
    try:
        typed = datetime.combine(date.fromisoformat(day), time.fromisoformat(hour or "00:00"), ZoneInfo(zone))
        return (typed + timedelta(days=1) if is_end and not hour else typed).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def parse_local_time(text: str, zone: str) -> datetime | None:
    """Parses a day and time as browsers send them, such as 2030-01-02T09:30, in the agency's time zone, or returns None."""
    try:
        return datetime.fromisoformat(text[:16]).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None

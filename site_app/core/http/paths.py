"""Which addresses the API answers: its calls, and plain pages on which a call is booked or changed, or a message confirmed."""

import re

from site_app.core.i18n import split
from site_app.core.settings import Settings

_CALLS = re.compile(r"/(v1\.0/|plain/|calendar/|readyz$)")
_OFFICE = re.compile(r"/office(/.*)?")
_PAGES = re.compile(r"/(book(/details|/done)?|confirm/[^/]+|meetings/[^/]+(/move|/call\.ics)?)")


def is_api(path: str) -> bool:
    """Calls have one address each, pages one in every language."""
    return bool(_CALLS.match(path)) or is_plain_page(path)


def is_office(path: str, host: str, settings: Settings) -> bool:
    """Whether it is a page of the office, if there is an office; where it has a host name of its own, only there."""
    return bool(settings.office and (not settings.office_host or host == settings.office_host) and _OFFICE.fullmatch(path))


def is_plain_page(path: str) -> bool:
    """Whether the answer is a page for visitors, and no data."""
    return bool(_PAGES.fullmatch(split(path)[1]))

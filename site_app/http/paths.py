"""Which addresses the API answers: its calls, and the plain pages: a call booked and changed, a message confirmed."""

import re

from site_app.i18n import split
from site_app.settings import Settings

_CALLS = re.compile(r"/(v1\.0/|insights/|plain/|calendar/|readyz$)")
_OFFICE = re.compile(r"/office(/.*)?")
_PAGES = re.compile(r"/(book(/details|/done)?|confirm/[^/]+|meetings/[^/]+(/move|/call\.ics)?)")


def is_api(path: str) -> bool:
    """Calls have one address each, pages one in every language."""
    return bool(_CALLS.match(path)) or is_plain_page(path)


def is_office(path: str, host: str, settings: Settings) -> bool:
    """Whether the agency's own pages answer there: those who have one, and where it has a host of its own only on that."""
    return bool(settings.office and (not settings.office_host or host == settings.office_host) and _OFFICE.fullmatch(path))


def is_plain_page(path: str) -> bool:
    """Whether a visitor reads what is answered there."""
    return bool(_PAGES.fullmatch(split(path)[1]))

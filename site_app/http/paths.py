"""Which addresses the API answers: its calls, and the plain pages: a call booked and changed, a message confirmed."""

import re

from site_app.i18n import split

_CALLS = re.compile(r"/(v1\.0/|insights/|plain/|calendar/|readyz$)")
_PAGES = re.compile(r"/(book(/details|/done)?|confirm/[^/]+|meetings/[^/]+(/move|/call\.ics)?)")


def is_api(path: str) -> bool:
    """Calls have one address each, pages one in every language."""
    return bool(_CALLS.match(path)) or is_plain_page(path)


def is_plain_page(path: str) -> bool:
    """Whether a visitor reads what is answered there."""
    return bool(_PAGES.fullmatch(split(path)[1]))

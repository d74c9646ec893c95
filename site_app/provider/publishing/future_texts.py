"""Texts whose date lies in the future: they become public by themselves when the day comes."""

import re
from collections.abc import Iterator
from datetime import date

from site_app.contracts.publication import FOLDERS
from site_app.core.settings import Settings
from site_app.provider.publishing.files import ContentFiles

_FRONT = re.compile(r"---[ \t]*\n(.*?\n)---", re.DOTALL)
_DATE = re.compile(r"^date:[ \t]*[\"']?(\d{4}-\d{2}-\d{2})\b", re.MULTILINE)
_DRAFT = re.compile(r"^draft:[ \t]*[\"']?(true|yes|on|1)\b", re.MULTILINE | re.IGNORECASE)


def next_day(settings: Settings, today: date) -> date | None:
    """Returns the next day after today at which a text becomes public, or None."""
    return min((day for day in _days(ContentFiles(settings)) if day > today), default=None)


def _days(files: ContentFiles) -> Iterator[date]:
    """Yields the date of each text that is no draft."""
    for kind in FOLDERS:
        for slug in files.texts(kind):
            front = _FRONT.match((files.text(kind, slug) or "").replace("\r\n", "\n"))
            written = _DATE.search(front[1]) if front else None
            if front and written and not _DRAFT.search(front[1]):
                try:
                    yield date.fromisoformat(written[1])
                except ValueError:  # the build says so
                    continue

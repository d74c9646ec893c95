"""python -m site_app insights: which pages are read."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from site_app.cli.database import read
from site_app.cli.printing import print_json, print_rows, say
from site_app.services.page_views import views, views_by_page_and_day


class By(StrEnum):
    page = "page"
    day = "day"
    referrer = "referrer"
    language = "language"


_LONGEST_BAR = 40
_EIGHTHS = " ▏▎▍▌▋▊▉"


def show(
    days: Annotated[int, typer.Option("--days", min=1, help="How many days back, today included.")] = 30,
    by: Annotated[By | None, typer.Option("--by", help="Only this table.")] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON by day, page and language, for programs.")] = False,
) -> None:
    """Show how often pages were read: by page, by day and by the sites readers came from.

    Days are those of UTC. Views are counted without cookies and say nothing about who.
    """
    first = (datetime.now(UTC) - timedelta(days=days - 1)).date()
    if json:
        print_json(read(lambda session: views_by_page_and_day(session, first=first)))
        return
    for one in [by.value] if by else [By.page.value, By.day.value, By.referrer.value]:
        counts = read(lambda session, one=one: views(session, by=one, first=first))
        most = max(counts.values(), default=0)
        rows = [{one: name or "(no other site)", "views": count, "": bar(count, most)} for name, count in counts.items()]
        say(f"\n{sum(counts.values())} views since {first}, by {one}")
        print_rows(rows, none="No views.")


def bar(count: int, most: int) -> str:
    """A bar as long as the count, to an eighth of a character."""
    eighths = round(count * _LONGEST_BAR * 8 / most) if most else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()

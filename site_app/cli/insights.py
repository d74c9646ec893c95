"""python -m site_app insights: which pages are read."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.bar import Bar

from site_app.cli.database import read
from site_app.cli.printing import print_json, print_rows, say
from site_app.provider.endpoints.page_views import views_by_page_and_day
from site_app.provider.office.report import report

_LONGEST_BAR = 40  # characters


def show(
    days: Annotated[int, typer.Option("--days", min=1, help="How many days back, today included.")] = 30,
    json: Annotated[bool, typer.Option("--json", help="As JSON by day, page and language, for programs.")] = False,
) -> None:
    """Show how often pages were read, by page, language, day and the sites readers came from, and what was sent, against the time before.

    Days are those of UTC. Views are counted without cookies and say nothing about who.
    """
    first = (datetime.now(UTC) - timedelta(days=days - 1)).date()
    if json:
        print_json(read(lambda session: views_by_page_and_day(session, first=first)))
        return
    found = read(lambda session: report(session, days=days, today=datetime.now(UTC).date()))
    for by, lines in {**found.views, "day": found.days}.items():
        say(f"\n{found.total.now} views since {first}, {found.total.before} in the {days} days before, by {by}")
        most = max((line.now for line in lines), default=0)
        rows = [
            {
                by: line.name or "(no other site)",
                "views": line.now,
                "before": line.before,
                "": Bar(most, 0, line.now, width=_LONGEST_BAR),
            }
            for line in lines
            if line.now or line.before
        ]
        print_rows(rows, none="No views.")
    say("\nSent")
    print_rows([{"kind": line.name, "sent": line.now, "before": line.before} for line in found.sent], none="Nothing was sent.")
    print_rows(
        [{"page": one.page, "views": one.views, "sent": one.sent, "of 100": one.rate} for one in found.conversions], none=""
    )

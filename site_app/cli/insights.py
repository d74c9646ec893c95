"""python -m site_app insights: page views and submissions."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.bar import Bar

from site_app.cli.database import read
from site_app.cli.printing import print_json, print_rows, print_text
from site_app.provider.insights.page_views import views_by_page_and_day
from site_app.provider.office.report import report

_MAX_BAR_LENGTH = 40  # characters


def show(
    days: Annotated[int, typer.Option("--days", min=1, max=36500, help="How many days back, today included.")] = 30,
    json: Annotated[bool, typer.Option("--json", help="As JSON by day, page and language, for programs.")] = False,
) -> None:
    """Show page views by page, language, day and referring site, and submissions, compared with the time before.

    Days are in UTC. Views are counted without cookies and without data about readers.
    """
    first = (datetime.now(UTC) - timedelta(days=days - 1)).date()
    if json:
        print_json(read(lambda session: views_by_page_and_day(session, first=first)))
        return
    figures = read(lambda session: report(session, days=days, today=datetime.now(UTC).date()))
    for by, counts in {**figures.views, "day": figures.days}.items():
        print_text(
            f"\n{figures.total.in_period} views since {first}, {figures.total.before} in the {days} days before, by {by}"
        )
        largest = max((line.in_period for line in counts), default=0)
        rows = [
            {
                by: line.name or "(no other site)",
                "views": line.in_period,
                "before": line.before,
                "": Bar(largest, 0, line.in_period, width=_MAX_BAR_LENGTH),
            }
            for line in counts
            if line.in_period or line.before
        ]
        print_rows(rows, none="No views.")
    print_text("\nSent")
    print_rows(
        [{"kind": line.name, "sent": line.in_period, "before": line.before} for line in figures.sent], none="Nothing was sent."
    )
    print_rows(
        [
            {"page": conversion.page, "views": conversion.views, "sent": conversion.sent, "of 100": conversion.rate}
            for conversion in figures.conversions
        ],
        none="",
    )

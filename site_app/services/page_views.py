"""Page views: how often a page was read on a day, and from where; nothing about who."""

from collections.abc import Mapping
from datetime import date
from urllib.parse import urlsplit

from sqlmodel import Session, col, func, select

from site_app.contracts.view import View
from site_app.i18n import split
from site_app.store import insert_statement
from site_app.store.tables import PageView

Pages = Mapping[str, str]  # the site's, by path: a page's tag
MOST_REFERRERS = 500  # on one day; forged ones must not fill the table
LONGEST_HOST = 100
_COLUMNS = {"page": PageView.pattern, "day": PageView.day, "referrer": PageView.referrer, "language": PageView.language}


def known(view: View, pages: Pages) -> bool:
    """Whether it is of a page of this site, under the route it says."""
    _, pattern = split(view.path)
    return pattern in pages and view.route in ("", pattern)


def record_view(session: Session, view: View, *, pages: Pages, today: date, own_hosts: frozenset[str]) -> None:
    """Count the view on its day; a referrer is kept as its host alone, and our own not at all."""
    locale, pattern = split(view.path)
    referrer = _host(view.referrer, own_hosts)
    if referrer and not _has_room(session, today, referrer):
        referrer = "other"
    row = {
        "day": today,
        "path": view.path,
        "referrer": referrer,
        "pattern": pattern,
        "tag": pages[pattern],
        "language": locale.id,
        "count": 1,
    }
    statement = insert_statement(session, PageView).values(**row)
    again = statement.on_conflict_do_update(index_elements=["day", "path", "referrer"], set_={"count": col(PageView.count) + 1})
    session.connection().execute(again)


def views(session: Session, *, by: str, first: date, last: date = date.max) -> dict[str, int]:
    """Views from a day to another by page, day, referrer or language; the most read first, days in their order."""
    column = _COLUMNS[by]
    total = func.sum(PageView.count)
    asked = select(column, total).where(col(PageView.day) >= first, col(PageView.day) <= last).group_by(col(column))
    ordered = asked.order_by(col(column)) if by == "day" else asked.order_by(total.desc(), col(column))
    return {str(name): int(count) for name, count in session.exec(ordered)}


def views_by_page_and_day(session: Session, *, first: date) -> list[dict[str, object]]:
    """The same in single figures, for programs."""
    asked = (
        select(col(PageView.day), col(PageView.pattern), col(PageView.language), func.sum(PageView.count))
        .where(col(PageView.day) >= first)
        .group_by(col(PageView.day), col(PageView.pattern), col(PageView.language))
        .order_by(col(PageView.day), col(PageView.pattern), col(PageView.language))
    )
    return [
        {"day": day.isoformat(), "page": page, "language": language, "views": int(count)}
        for day, page, language, count in session.exec(asked)
    ]


def _has_room(session: Session, today: date, referrer: str) -> bool:
    of_today = select(func.count(func.distinct(PageView.referrer))).where(PageView.day == today)
    seen = select(PageView.count).where(PageView.day == today, PageView.referrer == referrer).limit(1)
    return session.exec(seen).first() is not None or session.exec(of_today).one() < MOST_REFERRERS


def _host(referrer: str, own_hosts: frozenset[str]) -> str:
    if not referrer.isascii():
        return ""  # a browser sends none, and urlsplit would compose it, mark by mark
    try:
        parts = urlsplit(referrer)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return ""
    plain = host.isascii() and len(host) <= LONGEST_HOST and all(mark.isalnum() or mark in ".-" for mark in host)
    return host if parts.scheme in ("http", "https") and plain and host not in own_hosts else ""

"""Page views: how often a page was read on a day, and from where; nothing about who."""

from datetime import date
from urllib.parse import urlsplit

from sqlmodel import Session, col, func, select

from site_app.contracts.view import View
from site_app.i18n import split
from site_app.routes import BY_PATH
from site_app.store import insert_statement
from site_app.store.tables import PageView

MOST_REFERRERS = 500  # on one day; forged ones must not fill the table
LONGEST_HOST = 100


def known(view: View) -> bool:
    """Whether it is of a page of this site, under the route it says."""
    _, pattern = split(view.path)
    return pattern in BY_PATH and view.route in ("", pattern)


def record_view(session: Session, view: View, *, today: date, own_hosts: frozenset[str]) -> None:
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
        "tag": BY_PATH[pattern].tag,
        "language": locale.id,
        "count": 1,
    }
    statement = insert_statement(session, PageView).values(**row)
    again = statement.on_conflict_do_update(index_elements=["day", "path", "referrer"], set_={"count": col(PageView.count) + 1})
    session.connection().execute(again)


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

"""Page views: counts by page, day and referring site, without any data about readers."""

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from pydantic import Field
from sqlmodel import Session, col, delete, func, select

from site_app.contracts.submission import Contract
from site_app.core.i18n import split_language
from site_app.provider.store import Store, StoreUnavailable, insert_statement
from site_app.provider.store.tables import PageView


class PageViewed(Contract):
    """A page view as a page reports it."""

    path: Annotated[str, Field(min_length=1, max_length=200, description="Path of the page, with its language")]
    route: Annotated[str, Field(max_length=200, description="Pattern of the route, without the language")] = ""
    referrer: Annotated[str, Field(max_length=2000)] = ""


PageTags = Mapping[str, str]  # the tags of the site's pages by route
MAX_REFERRERS = 500  # per day, so that forged referrers cannot fill the table
MAX_HOST_LENGTH = 100
_MAX_WAITING = 10_000
_HAS_PATH = col(PageView.path) != ""
_COLUMNS = {"page": PageView.route, "day": PageView.day, "referrer": PageView.referrer, "language": PageView.language}


def is_known_page(view: PageViewed, page_tags: PageTags) -> bool:
    """Returns True if the reported path belongs to a page of this site and to the reported route."""
    _, route = split_language(view.path)
    return route in page_tags and view.route in ("", route)


class _ViewKey(NamedTuple):
    day: date
    path: str
    referrer: str
    route: str
    tag: str
    language: str


class ViewCounts:
    """Counts views in memory and writes them in batches, to avoid a commit per view. A crash loses the last seconds."""

    def __init__(self) -> None:
        self._counts: Counter[_ViewKey] = Counter()

    def add(self, view: PageViewed, *, page_tags: PageTags, today: date, own_hosts: frozenset[str]) -> None:
        """Counts the view. Of a referrer only the host is kept, without www., and our own hosts are dropped."""
        locale, route = split_language(view.path)
        key = _ViewKey(today, view.path, _host(view.referrer, own_hosts), route, page_tags[route], locale.id)
        if key in self._counts or len(self._counts) < _MAX_WAITING:
            self._counts[key] += 1

    async def write(self, store: Store) -> None:
        """Adds the gathered counts to the database. If that fails, keeps them for the next try and raises StoreUnavailable."""
        counts = self._counts
        self._counts = Counter()
        try:
            if counts:
                await store.write(lambda session: record_views(session, counts))
        except StoreUnavailable:
            self._counts += counts
            raise


def record_views(session: Session, counts: Mapping[_ViewKey, int]) -> None:
    """Adds these counts to the stored counts of their days."""
    referrers = {day: _referrers(session, day) for day in {key.day for key in counts}}
    rows: Counter[_ViewKey] = Counter()
    for key, count in counts.items():
        rows[key._replace(referrer="")] += count
        referrer = key.referrer
        if referrer and referrer not in referrers[key.day]:
            if len(referrers[key.day]) < MAX_REFERRERS:
                referrers[key.day].add(referrer)
            else:
                referrer = "other"
        if referrer:
            rows[_ViewKey(key.day, "", referrer, "", "", "")] += count
    statement = insert_statement(session, PageView)
    added = {"count": col(PageView.count) + statement.excluded["count"]}
    upsert = statement.on_conflict_do_update(index_elements=["day", "path", "referrer"], set_=added)
    # Sorted, so that processes lock the rows in the same order and cannot deadlock.
    session.connection().execute(upsert, [key._asdict() | {"count": rows[key]} for key in sorted(rows)])


def views(session: Session, *, by: str, first: date, last: date = date.max) -> dict[str, int]:
    """Returns the views from `first` to `last` by page, day, referrer or language: most views first, days in order."""
    column = _COLUMNS[by]
    total = func.sum(PageView.count)
    of_days = col(PageView.day) >= first, col(PageView.day) <= last
    counted = col(PageView.referrer) != "" if by == "referrer" else _HAS_PATH
    statement = select(column, total).where(*of_days, counted).group_by(col(column))
    ordered = statement.order_by(col(column)) if by == "day" else statement.order_by(total.desc(), col(column))
    lines = {str(name): int(count) for name, count in session.exec(ordered)}
    if by != "referrer":
        return lines
    # Rows of a page do not tell from where the views came: those without a host are what the hosts leave of all.
    direct = int(session.exec(select(total).where(*of_days, _HAS_PATH)).one() or 0) - sum(lines.values())
    with_direct = lines | ({"": direct} if direct > 0 else {})
    return dict(sorted(with_direct.items(), key=lambda line: (-line[1], line[0])))


def views_by_page_and_day(session: Session, *, first: date) -> list[dict[str, object]]:
    """Returns the views by page, language and day as a list for JSON."""
    statement = (
        select(col(PageView.day), col(PageView.route), col(PageView.language), func.sum(PageView.count))
        .where(col(PageView.day) >= first, _HAS_PATH)
        .group_by(col(PageView.day), col(PageView.route), col(PageView.language))
        .order_by(col(PageView.day), col(PageView.route), col(PageView.language))
    )
    return [
        {"day": day.isoformat(), "page": page, "language": language, "views": int(count)}
        for day, page, language, count in session.exec(statement)
    ]


def delete_old_views(session: Session, *, before: date) -> int:
    """Deletes the views of the oldest day before this day. Returns the number of rows."""
    oldest_day = select(func.min(PageView.day)).where(col(PageView.day) < before).scalar_subquery()
    return session.connection().execute(delete(PageView).where(col(PageView.day) == oldest_day)).rowcount


def _referrers(session: Session, day: date) -> set[str]:
    return set(session.exec(select(PageView.referrer).where(PageView.day == day).distinct()))


def _host(referrer: str, own_hosts: frozenset[str]) -> str:
    if not referrer.isascii():
        return ""  # browsers send ASCII only, and urlsplit would normalise the text, which takes long
    try:
        parts = urlsplit(referrer)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return ""
    plain = host.isascii() and len(host) <= MAX_HOST_LENGTH and all(mark.isalnum() or mark in ".-" for mark in host)
    is_own = host in {own_host.removeprefix("www.") for own_host in own_hosts}
    return host if parts.scheme in ("http", "https") and plain and not is_own else ""

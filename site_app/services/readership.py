"""How often pages were read, added up for whoever asks."""

from datetime import date

from sqlmodel import Session, col, func, select

from site_app.store.tables import PageView

_COLUMNS = {"page": PageView.pattern, "day": PageView.day, "referrer": PageView.referrer, "language": PageView.language}


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

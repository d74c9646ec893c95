"""Case studies and articles: files of Markdown with front matter become pages, lists and feeds.

Here is how the files are read, how Markdown becomes HTML, and which lists there are. The files themselves are in content/articles and
content/case_studies; their pages are drawn by pages/publications.py.
"""

from dataclasses import dataclass

from site_app.content.publications.reading import (
    ARTICLES,
    CASES,
    KINDS,
    Kind,
    Publication,
    PublicationMistake,
    Text,
    all_publications,
    publications,
)
from site_app.core.i18n import t
from site_app.core.service_table import SERVICE_TABLE, OfferedService

PAGE_SIZE = 12


@dataclass(frozen=True)
class ListPage:
    """A page of a list; `service` or `year` say what it is limited to."""

    kind: Kind
    path: str
    entries: tuple[Publication, ...]
    page: int
    pages: int
    service: OfferedService | None = None
    year: int | None = None

    @property
    def first_path(self) -> str:
        return self.path.partition("/page/")[0]

    def path_of(self, page: int) -> str:
        return self.first_path if page == 1 else f"{self.first_path}/page/{page}"


def listings(kind: Kind) -> tuple[ListPage, ...]:
    """Returns every page of every list of a kind. A service or a year has a list of its own unless it would have all entries."""
    texts = publications(kind)
    pages = _paged(kind, kind.path, texts)
    for service in SERVICE_TABLE:
        entries = tuple(entry for entry in texts if service.api_slug in entry.facts.services)
        if 0 < len(entries) < len(texts):
            pages += _paged(kind, f"{kind.path}/services/{service.api_slug}", entries, service=service)
    for year in sorted({entry.facts.date.year for entry in texts}, reverse=True):
        entries = tuple(entry for entry in texts if entry.facts.date.year == year)
        if len(entries) < len(texts):
            pages += _paged(kind, f"{kind.path}/years/{year}", entries, year=year)
    return tuple(pages)


def all_listings() -> tuple[ListPage, ...]:
    return tuple(listing for kind in KINDS for listing in listings(kind))


def _paged(
    kind: Kind, path: str, entries: tuple[Publication, ...], *, service: OfferedService | None = None, year: int | None = None
) -> list[ListPage]:
    count = max(1, -(-len(entries) // PAGE_SIZE))
    return [
        ListPage(
            kind,
            path if number == 1 else f"{path}/page/{number}",
            entries[(number - 1) * PAGE_SIZE : number * PAGE_SIZE],
            number,
            count,
            service,
            year,
        )
        for number in range(1, count + 1)
    ]


def listing_title(listing: ListPage) -> str:
    """Returns the title for the browser's tab, which the page's headline repeats."""
    is_case = listing.kind is CASES
    if listing.service:
        name = listing.service.name()
        title = t("Cases: {service}", service=name) if is_case else t("Articles: {service}", service=name)
    elif listing.year:
        year = str(listing.year)
        title = t("Case studies of {year}", year=year) if is_case else t("Articles of {year}", year=year)
    else:
        title = t("Case studies") if is_case else t("Articles")
    return title if listing.page == 1 else t("{title}, page {page}", title=title, page=listing.page)


def listing_lead(listing: ListPage) -> str:
    if listing.kind is CASES:
        return t("What was asked for, what we built, what went wrong and what came of it, in figures, with what clients paid.")
    return t("What we have learnt about buying, building and keeping software, written for those who pay for the work.")


def listing_description(listing: ListPage) -> str:
    """Returns the description for search engines; that of a list by service or year is its title and the lead."""
    if not listing.service and not listing.year:
        return _whole_description(listing.kind)
    return t("{title}. {lead}", title=listing_title(listing), lead=listing_lead(listing))


def _whole_description(kind: Kind) -> str:
    if kind is CASES:
        return t(
            "Case studies of software projects: what was asked for, what we built, what went wrong and what came of it, in figures; for client projects, the cost too."
        )
    return t(
        "What we have learnt about buying, building and keeping software: estimates, weekly reports, takeovers, for those who pay for the work."
    )

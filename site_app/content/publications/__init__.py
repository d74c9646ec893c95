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
from site_app.core.offered import OFFERED, OfferedService

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
    """Every page of every list of a kind. A service or a year has a list as soon as it does not hold all there is."""
    texts = publications(kind)
    pages = _paged(kind, kind.path, texts)
    for service in OFFERED:
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
    """The words for the browser's tab, which the page's headline repeats."""
    cases = listing.kind is CASES
    if listing.service:
        name = listing.service.name()
        words = t("Cases: {service}", service=name) if cases else t("Articles: {service}", service=name)
    elif listing.year:
        year = str(listing.year)
        words = t("Case studies of {year}", year=year) if cases else t("Articles of {year}", year=year)
    else:
        words = t("Case studies") if cases else t("Articles")
    return words if listing.page == 1 else t("{title}, page {page}", title=words, page=listing.page)


def listing_lead(listing: ListPage) -> str:
    if listing.kind is CASES:
        return t("What was asked for, what we built, what went wrong and what came of it, in figures, with what clients paid.")
    return t("What we have learnt about buying, building and keeping software, written for those who pay for the work.")


def listing_description(listing: ListPage) -> str:
    """What search engines are told: the whole list's own description, or the lead and what the list is limited to."""
    if not listing.service and not listing.year:
        return _whole_description(listing.kind)
    return t("{title}. {lead}", title=listing_title(listing), lead=listing_lead(listing))


def _whole_description(kind: Kind) -> str:
    if kind is CASES:
        return t(
            "Case studies of software projects: what was asked for, what we built, what went wrong, what it cost and what came of it, in figures."
        )
    return t(
        "What we have learnt about buying, building and keeping software: estimates, weekly reports, takeovers, for those who pay for the work."
    )

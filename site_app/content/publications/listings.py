"""The lists in which case studies and articles stand, and the words around them."""

from dataclasses import dataclass

from components.records import Invitation
from site_app.content.prices import pounds
from site_app.content.publications.files import CASES, PUBLICATION_KINDS, Publication, PublicationKind, publications
from site_app.content.records import book_call, get_quote
from site_app.contracts.publication import PriceBand
from site_app.core import business
from site_app.core.i18n import href, t
from site_app.core.service_table import SERVICE_TABLE, OfferedService

PAGE_SIZE = 12


@dataclass(frozen=True)
class ListPage:
    """A page of a list; `service` or `year` say what it is limited to."""

    kind: PublicationKind
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


def listings(kind: PublicationKind) -> tuple[ListPage, ...]:
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
    return tuple(listing for kind in PUBLICATION_KINDS for listing in listings(kind))


def _paged(
    kind: PublicationKind,
    path: str,
    entries: tuple[Publication, ...],
    *,
    service: OfferedService | None = None,
    year: int | None = None,
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


def listing_intro(listing: ListPage) -> str:
    if listing.kind is CASES:
        return t("What was asked for, what went wrong, the result in figures and, for client projects, what it cost.")
    return t("What we have learnt about buying, building and keeping software, written for those who pay for the work.")


def listing_description(listing: ListPage) -> str:
    """Returns the description for search engines; that of a list by service or year is its title and its intro."""
    if not listing.service and not listing.year:
        return _whole_description(listing.kind)
    return t("{title}. {lead}", title=listing_title(listing), lead=listing_intro(listing))


def _whole_description(kind: PublicationKind) -> str:
    if kind is CASES:
        return t(
            "Case studies of software projects: what was asked for, what we built, what went wrong and what came of it, in figures; for client projects, the cost too."
        )
    return t(
        "What we have learnt about buying, building and keeping software: estimates, weekly reports and takeovers, for those who pay for the work."
    )


def price_words(band: PriceBand) -> str:
    """Returns a price band in words: £10,000–£30,000."""
    small, medium, large = (pounds(amount) for amount in business.BUDGETS_POUNDS)
    return {
        "under-10": t("under {amount}", amount=small),
        "10-30": f"{small}–{medium}",
        "30-60": f"{medium}–{large}",
        "over-60": t("over {amount}", amount=large),
    }[band]


def listing_links(kind: PublicationKind, current: ListPage) -> tuple[tuple[str, str, bool], ...]:
    """Returns the lists of a kind: all, by service, by year. Each is a name, an address, and True for the list that is shown."""
    return tuple(
        (
            listing.service.name() if listing.service else str(listing.year) if listing.year else t("All"),
            href(listing.path),
            listing.path == current.first_path,
        )
        for listing in listings(kind)
        if listing.page == 1
    )


def invitation(kind: PublicationKind) -> Invitation:
    if kind is CASES:
        return Invitation(
            t("What would yours be about?"),
            t(
                "Describe your project in a few lines. We’ll reply within one working day with questions or a first estimate; the written quote is free."
            ),
            (get_quote(), book_call()),
        )
    return Invitation(
        t("Shall we talk about it?"),
        t("A few lines are enough. We’ll reply in writing within one working day."),
        (get_quote(), book_call()),
    )

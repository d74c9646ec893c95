"""The words around case studies and articles: price bands, links to lists, invitations."""

from components.records import Invitation
from site_app.content.prices import pounds
from site_app.content.publications import CASES, Kind, ListPage, listings
from site_app.content.records import book_call, get_quote
from site_app.contracts.publication import PriceBand
from site_app.core import business
from site_app.core.i18n import href, t


def price_words(band: PriceBand) -> str:
    """Returns a price band in words: £10,000–£30,000."""
    small, medium, large = (pounds(amount) for amount in business.BUDGETS_POUNDS)
    return {
        "under-10": t("under {amount}", amount=small),
        "10-30": f"{small}–{medium}",
        "30-60": f"{medium}–{large}",
        "over-60": t("over {amount}", amount=large),
    }[band]


def listing_links(kind: Kind, current: ListPage) -> tuple[tuple[str, str, bool], ...]:
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


def invitation(kind: Kind) -> Invitation:
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
        t("A few lines are enough. You’ll get a written answer within one working day."),
        (get_quote(), book_call()),
    )

"""What the pages of case studies and articles say around the texts themselves."""

from components.records import Invitation
from site_app.content.prices import pounds
from site_app.content.publications import CASES, Kind, ListPage, listings
from site_app.content.records import book_call, get_quote
from site_app.contracts.publication import PriceBand
from site_app.core import business
from site_app.core.i18n import href, t


def price_words(band: PriceBand) -> str:
    """A price band in words."""
    small, medium, large = (pounds(amount) for amount in business.BUDGETS_POUNDS)
    return {
        "under-10": t("under {amount}", amount=small),
        "10-30": f"{small}–{medium}",
        "30-60": f"{medium}–{large}",
        "over-60": t("over {amount}", amount=large),
    }[band]


def listing_links(kind: Kind, current: ListPage) -> tuple[tuple[str, str, bool], ...]:
    """The lists of a kind as triples of name, address and whether it is the one shown: all, by service, by year."""
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

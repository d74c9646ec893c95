"""Lists of case studies and articles: by service, by year, twelve to a page."""

from collections.abc import Callable
from pathlib import Path

from site_app.content.publications import PublicationKind, listings


def _write_many(write: Callable[..., Path], count: int) -> None:
    for number in range(count):
        file = write(f"text-{number:02}.md")
        changed = file.read_text().replace("2026-05-01", f"{2025 + number % 2}-05-01")
        if number % 3 == 0:
            changed = changed.replace("[web-development]", "[mobile-development]")
        file.write_text(changed)


def test_a_list_shows_twelve_texts_a_page(articles: PublicationKind, write: Callable[..., Path]) -> None:
    _write_many(write, 25)

    pages = [listing for listing in listings(articles) if not listing.service and not listing.year]

    assert [(page.path, len(page.entries)) for page in pages] == [
        ("/articles", 12),
        ("/articles/page/2", 12),
        ("/articles/page/3", 1),
    ]
    assert len({entry.slug for page in pages for entry in page.entries}) == 25


def test_a_service_and_a_year_have_a_list(articles: PublicationKind, write: Callable[..., Path]) -> None:
    _write_many(write, 6)

    paths = [listing.path for listing in listings(articles)]

    assert paths == [
        "/articles",
        "/articles/services/web-development",
        "/articles/services/mobile-development",
        "/articles/years/2026",
        "/articles/years/2025",
    ]


def test_a_filter_that_lists_everything_has_no_page(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write()

    assert [listing.path for listing in listings(articles)] == ["/articles"]


def test_a_kind_without_texts_still_has_its_page(articles: PublicationKind) -> None:
    (listing,) = listings(articles)

    assert (listing.path, listing.entries, listing.pages) == ("/articles", (), 1)

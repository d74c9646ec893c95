"""Lists of case studies and articles: by service, by year, twelve to a page."""

from collections.abc import Callable
from pathlib import Path

from site_app.content.publications import PublicationKind, listings
from site_app.core.i18n import use
from site_app.core.locales import BY_ID
from site_app.pages.publications import _listing_page
from site_app.pages.static_html import html_of
from site_app.pages.translation_coverage import with_marked_english


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


def test_an_untranslated_text_is_marked_as_english_in_the_list_of_another_language(
    articles: PublicationKind, write: Callable[..., Path]
) -> None:
    write()
    (listing,) = listings(articles)

    with use(BY_ID["cn"]):
        html = html_of(with_marked_english(_listing_page(listing))())

    assert 'lang="en">How we estimate</a>' in html
    assert 'lang="en">What an estimate is made of' in html

"""The pages of case studies and articles: a list, a case study, an article; and rows of them for other pages."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from heapq import nlargest
from pathlib import Path

import reflex as rx

from components.art.pictures import MIN_WIDTH, BrokenPicture, sized
from components.records import Entry, Figure
from components.sections.article import (
    byline,
    case_details,
    entry_list,
    filters,
    letterhead,
    pager,
    side_contents,
    whole_picture,
)
from components.sections.hero import call_to_action, figure_line, page_head
from components.ui.text import headline, onward, section, unbroken_name
from site_app.content.faq import faq_slugs
from site_app.content.people import person
from site_app.content.publications import (
    CASES,
    ListPage,
    Publication,
    all_listings,
    all_publications,
    invitation,
    listing_intro,
    listing_links,
    listing_title,
    price_words,
    publications,
)
from site_app.content.publications.files import PublicationMistake, mistake_in, mistake_in_field, raise_mistakes
from site_app.content.publications.measurements import with_figures
from site_app.content.publications.prose import Prose, prose
from site_app.content.records import PLAIN_BOOKING
from site_app.content.routes import BY_PATH, FEEDS, REDIRECTS
from site_app.core.i18n import href, in_local_words, join_list, join_names, labelled, t, tc, tn
from site_app.core.i18n.clocks import date_words
from site_app.core.service_table import SERVICE_TABLE
from site_app.core.settings import settings
from site_app.pages.line_breaks import keep_words_whole

_CHAPTERS_WITH_CONTENTS = 3  # from this number of chapters, a text has a table of contents at its side
_OTHER_ADDRESSES = frozenset((PLAIN_BOOKING, *(f"/{feed}" for feed in FEEDS)))  # to which texts may link
_FURTHER_ENTRIES = 2  # below a case study or an article


def pages() -> dict[str, Callable[[], rx.Component]]:
    """Returns the pages of all lists, case studies and articles by their paths."""
    return {
        **{listing.path: _listing_page(listing) for listing in all_listings()},
        **{publication.path: _publication_page(publication) for publication in all_publications()},
    }


def _note(listing: ListPage) -> str:
    """Returns the sentence that says what the mark of samples means, where a sample is listed."""
    has_samples = listing.kind is CASES and any(entry.facts.sample for entry in listing.entries)
    return t("Cases marked “Sample” are invented.") if has_samples else ""


def _listing_page(listing: ListPage) -> Callable[[], rx.Component]:
    def page() -> rx.Component:
        links = listing_links(listing.kind, listing)
        return rx.fragment(
            page_head(headline=listing_title(listing), intro=listing_intro(listing), note=_note(listing), short=True),
            section(
                *([filters(links, label=t("Show"), folded=labelled)] if len(links) > 1 else []),
                entry_list([_entry(publication) for publication in listing.entries], level=2)
                if listing.entries
                else rx.el.p(t("Nothing has been published yet.")),
                *([pager(_pager_links(listing), label=t("Pages"))] if listing.pages > 1 else []),
            ),
            call_to_action(invitation(listing.kind)),
        )

    return page


def _pager_links(listing: ListPage) -> list[tuple[str, str, bool]]:
    return [(str(page), href(listing.path_of(page)), page == listing.page) for page in range(1, listing.pages + 1)]


def _publication_page(publication: Publication) -> Callable[[], rx.Component]:
    def page() -> rx.Component:
        rendered = prose(publication.words())
        raise_mistakes([*name_mistakes(publication), *link_mistakes(publication.words().file, rendered.links)])
        return rx.el.article(
            *own_parts(publication, rendered),
            _letterhead(),
            *_further(publication),
            call_to_action(invitation(publication.kind)),
        )

    return page


def own_parts(publication: Publication, rendered: Prose) -> list[rx.Component]:
    """Returns the publication's own parts: head, facts, picture and text, without the links to other pages."""
    words = publication.words()
    parts = [
        page_head(headline=words.title, intro=words.summary, above=_byline(publication, rendered)),
        *([case_details(_case_details(publication))] if publication.case else []),
        *([figure_line(_results(publication))] if words.results else []),
        _body(rendered, _lead_pictures(publication), has_facts=publication.case is not None),
    ]
    for part in parts:
        keep_words_whole(part)  # for previews; the build does it for each page
    return parts


def _letterhead() -> rx.Component:
    agency = settings()
    return letterhead(agency.brand_name, (in_local_words(agency.brand_address), agency.brand_email))


def name_mistakes(publication: Publication) -> Iterator[PublicationMistake]:
    """Yields a mistake for each question of the front matter that the FAQ lacks."""
    questions = faq_slugs()
    for slug in publication.facts.questions:
        if slug not in questions:
            yield mistake_in_field(publication, "questions", f"{slug!r} is no question of site_app/content/faq.py")


def link_mistakes(
    file: Path, links: Iterable[tuple[str, int]], *, further: Collection[str] = ()
) -> Iterator[PublicationMistake]:
    """Yields a mistake for each link that leads to no page. `further` are the paths of pages published since this process started."""
    for path, line in links:
        if not any(path in paths for paths in (BY_PATH, REDIRECTS, _OTHER_ADDRESSES, further)):
            yield mistake_in(file, line, f"the link {path} leads to no page of this site")


def _body(rendered: Prose, lead_pictures: Sequence[rx.Component], *, has_facts: bool) -> rx.Component:
    """Returns the text, with its contents if it is long.

    The picture of an article follows its first chapter on phones, and stands above the text on wider screens: on a phone's first screen it would be
    the largest thing, and come later than the words. Of a case study, the facts already fill that screen.
    """
    chapters = [heading for heading in rendered.headings if heading.level == 2]
    if len(chapters) < _CHAPTERS_WITH_CONTENTS:
        return rx.el.div(*lead_pictures, _prose(rendered.html), class_name="wrap band")
    entries = [(heading.text, f"#{heading.anchor}") for heading in chapters]
    title = t("On this page")
    if has_facts or not lead_pictures or not rendered.second_chapter:
        return side_contents(_prose(rendered.html), title=title, entries=entries, above=lead_pictures)
    opening, further_chapters = rendered.html[: rendered.second_chapter], rendered.html[rendered.second_chapter :]
    return side_contents(_prose(opening), *lead_pictures, _prose(further_chapters), title=title, entries=entries)


def _prose(html: str) -> rx.Component:
    return rx.el.div(class_name="prose prose-long", custom_attrs={"dangerouslySetInnerHTML": {"__html": html}})


def _byline(publication: Publication, rendered: Prose) -> rx.Component:
    facts = publication.facts
    authors = [author for slug in facts.authors if (author := person(slug))]
    parts = [
        t("By {names}", names=join_names(author.name for author in authors)),
        date_words(facts.date),
        *([t("updated on {day}", day=date_words(publication.updated))] if publication.updated else []),
        t("{minutes} min read", minutes=rendered.minutes),
    ]
    return byline(
        parts,
        tags=publication.words().tags,
        label=t("Sample") if facts.sample else "",
        draft=t("Draft") if facts.draft else "",
    )


def _case_details(publication: Publication) -> list[tuple[str, str]]:
    case = publication.case
    words = publication.words()
    assert case is not None
    return [
        (label, value)
        for label, value in (
            (t("Client"), words.client),
            (t("Services"), join_list([unbroken_name(name) for name in _services(case.services)])),
            (tc("of a project", "Duration"), tn("{count} week", "{count} weeks", case.weeks) if case.weeks else ""),
            (t("Price excluding VAT"), price_words(case.price) if case.price else ""),
            (t("Team"), join_list(words.team)),
        )
        if value
    ]


def _services(slugs: Collection[str]) -> list[str]:
    """Returns the names of the services in the order of the site, as the filters of the lists show them."""
    return [service.name() for service in SERVICE_TABLE if service.api_slug in slugs]


def _results(publication: Publication) -> list[Figure]:
    return [Figure(with_figures(figure.value), with_figures(figure.text)) for figure in publication.words().results]


def _lead_pictures(publication: Publication) -> list[rx.Component]:
    """Returns the picture above the text, which links to its whole size, or nothing if the page has none."""
    file = _picture_of(publication)
    if not file or not publication.facts.picture or publication.facts.picture.lists_only:
        return []
    return [rx.el.div(whole_picture(file, alt=publication.words().alt), class_name="lead-picture")]


def _picture_of(publication: Publication) -> Path | None:
    """Returns the picture for lists, for the page's head and for search engines; refuses one that is too small for them."""
    file = publication.picture
    if file is None:
        return None
    try:
        width = sized(file).width
    except BrokenPicture as error:
        raise mistake_in_field(publication, "picture", str(error).removesuffix(".")) from None
    if width < MIN_WIDTH:
        raise mistake_in_field(publication, "picture", f"{file.name} is {width} pixels wide; it must have at least {MIN_WIDTH}")
    return file


def _further(publication: Publication) -> list[rx.Component]:
    """Returns a row of other publications of the kind: of the same services first, then those that follow it in the list.

    They follow in a circle. If every page showed the newest ones, a new text would change every page, and the build would write all anew.
    """
    entries = publications(publication.kind)
    place = [entry.slug for entry in entries].index(publication.slug)
    services = set(publication.facts.services)
    other_entries = [*entries[place + 1 :], *entries[:place]]
    nearest = nlargest(_FURTHER_ENTRIES, other_entries, key=lambda entry: len(services.intersection(entry.facts.services)))
    if not nearest:
        return []
    are_two_cases = publication.case and len(nearest) == _FURTHER_ENTRIES
    heading = t("Two more cases") if are_two_cases else t("Further reading")
    return [_row(heading, nearest, tinted=True)]


def case_row(cases: Sequence[Publication], *, heading: str, intro: str = "", tinted: bool = False) -> list[rx.Component]:
    """Returns a section with these case studies, or nothing if there are none."""
    further_link = t("All case studies"), href(CASES.path)
    return [_row(heading, cases, intro=intro, further_link=further_link, tinted=tinted, thumbnails=True)] if cases else []


def cases_of(service: str) -> list[Publication]:
    """Returns the case studies of one service, by its slug in the API."""
    return [case for case in publications(CASES) if service in case.facts.services]


def _row(
    heading: str,
    entries: Sequence[Publication],
    *,
    intro: str = "",
    further_link: tuple[str, str] | None = None,
    tinted: bool = False,
    thumbnails: bool = False,
) -> rx.Component:
    return section(
        headline(heading, intro=intro),
        entry_list([_entry(publication) for publication in entries], level=3, has_pictures=False, thumbnails=thumbnails),
        *([onward(*further_link, class_name="mt-5")] if further_link else []),
        ground="bg-tint" if tinted else "",
    )


def _entry(publication: Publication) -> Entry:
    words = publication.words()
    return Entry(
        title=words.title,
        text=words.summary,
        href=href(publication.path),
        note=words.client or date_words(publication.facts.date),
        topic="" if publication.case else next(iter(words.tags), ""),
        figure=_results(publication)[0] if publication.case and words.results else None,
        picture=_picture_of(publication),
        alt=words.alt,
        label=t("Draft") if publication.facts.draft else t("Sample") if publication.facts.sample else "",
    )

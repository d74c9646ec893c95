"""Sections to read: a story, a long text with contents and summary, questions that open without a script.

Also lists of publications, and pictures in the sizes and formats that browsers choose from.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import reflex as rx

from components.art.icons import icon
from components.art.pictures import WHOLE_WIDTH, described, sized
from components.records import Entry, Figure, Section
from components.ui.text import fold, onward, section

_ASSETS = Path(__file__).parents[2] / "assets"


def picture(
    file: str | Path, *, alt: str, sizes: str = WHOLE_WIDTH, above_fold: bool = False, class_name: str = ""
) -> rx.Component:
    """Shows a file of assets/, such as "images/office.webp", or any other by its whole path.

    `sizes` is how wide it is shown, as HTML says it; `above_fold` is for a picture of the first screen, which is fetched at once.
    """
    sized_picture = described(_ASSETS / file, alt)
    loading = {"fetchPriority": "high"} if above_fold else {"loading": "lazy"}
    return rx.el.picture(
        rx.el.source(type="image/avif", src_set=sized_picture.srcset("avif"), sizes=sizes),
        rx.el.img(
            src=sized_picture.file_url("webp", sized_picture.widths[-1]),
            src_set=sized_picture.srcset("webp"),
            sizes=sizes,
            alt=alt,
            class_name=f"picture {sized_picture.ground}",
            custom_attrs={"width": sized_picture.width, "height": sized_picture.height, "decoding": "async", **loading},
        ),
        class_name=class_name or None,
    )


def whole_picture(file: str | Path, *, alt: str) -> rx.Component:
    """Shows a picture in the text's column, with a link to its largest file."""
    sized_picture = described(_ASSETS / file, alt)
    file_url = sized_picture.file_url("webp", sized_picture.widths[-1])
    return rx.el.elements.a(picture(file, alt=alt), href=file_url, class_name="whole-picture")


def story(words: Section[str]) -> rx.Component:
    """A short text in paragraphs, its first sentence set large."""
    return section(
        rx.el.div(
            rx.el.h2(words.heading, class_name="story-heading"),
            rx.el.p(words.intro, class_name="story-lead"),
            class_name="split-side",
        ),
        rx.el.div(*[rx.el.p(paragraph) for paragraph in words.items], class_name="prose measure text-lg"),
        layout="split",
        ground="border-t border-line",
    )


def side_contents(
    *body: rx.Component,
    title: str,
    entries: Sequence[tuple[str, str]],
    above: Sequence[rx.Component] = (),
    folds: bool = True,
    lang: str | None = None,
) -> rx.Component:
    """A long text with a table of contents beside it. `entries` are pairs of text and anchor, in the language `lang` if it is not the page's.

    `above`, such as a picture, is above the text, and on a phone above the contents, too. The contents fold on narrow screens, unless what
    is beside them is a list that folds, too.
    """
    links = [rx.el.li(rx.el.elements.a(text, href=anchor, class_name="foot-link")) for text, anchor in entries]
    return rx.el.div(
        *above,
        rx.el.nav(
            rx.el.p(title, class_name="font-semibold mb-2"),
            *([fold(title)] if folds else []),
            rx.el.ul(*links, lang=lang),
            aria_label=title,
            class_name=f"side-contents text-sm {'folding' if folds else 'side-topics'}",
        ),
        *body,
        class_name="wrap band side",
    )


def summary(*, title: str, lines: Sequence[str], note: str) -> rx.Component:
    """A few lines that summarize a long text, with a note that they are only a summary."""
    return rx.el.aside(
        rx.el.p(title, class_name="summary-title"),
        rx.el.ul(*[rx.el.li(line) for line in lines]),
        rx.el.p(note, class_name="summary-note"),
        aria_label=title,
        class_name="summary card",
    )


Questions = Sequence[tuple[str, str, Sequence[rx.Component]]]  # slug, question, and the answer already built
_Schema = Callable[..., dict[str, Any]]


def question_list(*, group: str, questions: Questions, is_faq: bool = False) -> rx.Component:
    """A list of questions that open; with `is_faq`, inside `questions_page`, attributes mark them for search engines."""
    schema = _schema if is_faq else lambda *names: {}
    return rx.el.div(*[_question(group, schema, *question) for question in questions], class_name="questions")


def _question(group: str, schema: _Schema, slug: str, question: str, answer: Sequence[rx.Component]) -> rx.Component:
    text = rx.el.div(*answer, class_name="answer prose", custom_attrs=schema("text"))
    return rx.el.details(
        rx.el.summary(rx.el.h3(question, custom_attrs=schema("name")), icon("chevron-down")),
        rx.el.div(text, custom_attrs=schema("acceptedAnswer", "Answer")),
        id=slug,
        custom_attrs={"name": group, **schema("mainEntity", "Question")},
    )


def questions_page(*content: rx.Component, class_name: str = "") -> rx.Component:
    """Contains every question of the FAQ. Attributes mark them for search engines, because JSON-LD would repeat every text."""
    return rx.el.div(*content, class_name=class_name, custom_attrs=_schema("", "FAQPage"))


def _schema(name: str, kind: str = "") -> dict[str, Any]:
    """Returns the attributes of an element that schema.org calls `kind`, as the property `name` of the element around it."""
    return ({"itemProp": name} if name else {}) | (
        {"itemScope": True, "itemType": f"https://schema.org/{kind}"} if kind else {}
    )


def answer_list(items: Sequence[Any], *, ordered: bool) -> rx.Component:
    """A list of entries, each with or without a title."""
    entries = [
        rx.el.li(rx.el.strong(item.title, class_name="block"), f" {item.text}") if item.title else rx.el.li(item.text)
        for item in items
    ]
    return (rx.el.ol if ordered else rx.el.ul)(*entries)


def question_section(*, heading: str, link_text: str, href: str, group: str, questions: Questions) -> rx.Component:
    """A few questions on a page other than the FAQ, with a link to the FAQ."""
    return section(
        rx.el.div(
            rx.el.h2(heading, class_name="text-3xl"), onward(link_text, href, class_name="mt-5"), class_name="split-side"
        ),
        question_list(group=group, questions=questions),
        layout="split",
        ground="border-t border-line",
    )


def entry_list(entries: Sequence[Entry], *, level: int, has_pictures: bool = True, thumbnails: bool = False) -> rx.Component:
    """A list of entries with headings of this level. Without pictures, several entries with a figure have no text either.

    With `thumbnails` such an entry has a small picture on wide screens.
    """
    is_single = len(entries) == 1
    items = [
        _entry(entry, level, has_pictures=has_pictures, thumbnail=thumbnails, has_text=has_pictures or is_single)
        for entry in entries
    ]
    return rx.el.ul(*items, class_name="entries entries-single" if is_single else "entries")


def _entry(entry: Entry, level: int, *, has_pictures: bool, thumbnail: bool, has_text: bool) -> rx.Component:
    heading = rx.el.h2 if level == 2 else rx.el.h3
    large_picture = entry.picture if has_pictures else None
    kind = "entry card" if entry.price else "entry entry-pictured" if large_picture else "entry"
    sizes = "(min-width: 64rem) 36rem, (min-width: 48rem) 46vw, 4rem"  # of two columns; on a phone beside the title, the smallest file
    return rx.el.li(
        *([picture(large_picture, alt=entry.alt, sizes=sizes)] if large_picture else []),
        *([_thumbnail(entry.picture)] if thumbnail and entry.picture else []),
        rx.el.p(
            entry.note,
            *([rx.el.span(entry.topic)] if entry.topic else []),
            *([rx.el.span(entry.label, class_name="sample")] if entry.label else []),
            class_name="entry-note",
        ),
        heading(rx.el.elements.a(entry.title, href=entry.href, class_name="entry-link"), class_name="text-xl"),
        *([_best_result(entry.figure)] if entry.figure else []),
        *([rx.el.p(entry.price, class_name="entry-price font-semibold text-accent")] if entry.price else []),
        *([rx.el.p(entry.text, class_name="text-ink-soft")] if has_text or not entry.figure else []),
        class_name=kind,
    )


def _thumbnail(file: str | Path) -> rx.Component:
    """A picture in one size and format, because a page with several has to stay small; beside its title it needs no words."""
    sized_picture = sized(_ASSETS / file)
    return rx.el.img(
        src=sized_picture.file_url("avif", sized_picture.widths[:3][-1]),
        alt="",
        class_name="picture",
        custom_attrs={"width": sized_picture.width, "height": sized_picture.height, "loading": "lazy"},
    )


def _best_result(figure: Figure) -> rx.Component:
    return rx.el.p(rx.el.strong(figure.value), f" {figure.text}", class_name="entry-figure")


def filters(links: Sequence[tuple[str, str, bool]], *, label: str, folded: Callable[[str, str], str]) -> rx.Component:
    """Links to lists of texts: triples of name, URL, and True for the list that is shown; `folded` joins the label and that list’s name."""
    list_name = next((name for name, _, is_here in links if is_here), "")
    return rx.el.nav(
        fold(folded(label, list_name)),
        rx.el.ul(*[_filter(*link) for link in links], class_name="filters"),
        aria_label=label,
        class_name="folding folding-on-phones",
    )


def _filter(name: str, href: str, is_here: bool) -> rx.Component:
    attributes = {"aria-current": "page"} if is_here else {}
    return rx.el.li(rx.el.elements.a(name, href=href, class_name="filter", custom_attrs=attributes))


def pager(links: Sequence[tuple[str, str, bool]], *, label: str) -> rx.Component:
    return rx.el.nav(rx.el.ul(*[_filter(*link) for link in links], class_name="filters mt-10"), aria_label=label)


def byline(parts: Sequence[str], *, tags: Sequence[str], label: str, draft: str) -> rx.Component:
    """A line with the author, the date and the minutes of reading, then the subjects."""
    marks = [rx.el.span(mark, class_name="sample") for mark in (label, draft) if mark]
    subjects = [rx.el.span(" · ".join(tags))] if tags else []
    return rx.el.p(*[rx.el.span(part) for part in parts], *subjects, *marks, class_name="byline")


def letterhead(name: str, lines: Sequence[str]) -> rx.Component:
    """The agency's name and address at the top of the first sheet when the page is printed; not shown on screens."""
    return rx.el.p(rx.el.strong(name), rx.el.span(" · ".join(lines)), class_name="letterhead")


def case_details(details: Sequence[tuple[str, str]]) -> rx.Component:
    """Pairs of label and value, such as the client, how long it took, and what it cost."""
    pairs = [rx.el.div(rx.el.dt(label), rx.el.dd(value), class_name="case-fact") for label, value in details]
    return rx.el.div(rx.el.dl(*pairs, class_name="wrap case-facts"))

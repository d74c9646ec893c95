"""The five legal pages, by one function."""

from collections.abc import Callable, Sequence

import reflex as rx

from components.sections.page_head import page_head
from components.sections.side_contents import side_contents
from site_app.content.legal_pages import legal_page
from site_app.i18n import ENGLISH, current, href, t, use
from site_app.i18n.clocks import date_words
from site_app.i18n.legal import (
    Block,
    Emphasis,
    Heading,
    Inline,
    Link,
    ListBlock,
    Paragraph,
    Strong,
    Table,
    Words,
)


def legal(path: str) -> Callable[[], rx.Component]:
    """The page of one legal text: always the English one, which binds, with a notice in the language being written."""

    def page() -> rx.Component:
        text = legal_page(path)
        return rx.el.article(  # as one part of main all of it is in the first paint (see base.css)
            page_head(
                claim=rx.el.span(text.title, lang=ENGLISH.tag),
                note=t("Effective from {day}", day=date_words(text.effective)),
                lead=""
                if current() is ENGLISH
                else t("The English text of this page is the binding one, so it is shown in English."),
            ),
            side_contents(
                title=t("On this page"),
                entries=[(entry.text, f"#{entry.anchor}") for entry in text.contents],
                body=rx.el.div(*[_block(block) for block in text.blocks], lang=ENGLISH.tag, class_name="prose legal"),
                lang=ENGLISH.tag,
            ),
        )

    return page


def _block(block: Block) -> rx.Component:
    match block:
        case Heading(level, anchor, content):
            return (rx.el.h2 if level == 2 else rx.el.h3)(*_inlines(content), id=anchor)
        case Paragraph(content):
            return rx.el.p(*_inlines(content))
        case ListBlock(ordered, items):
            entries = [rx.el.li(*[_item(inner) for inner in item]) for item in items]
            return (rx.el.ol if ordered else rx.el.ul)(*entries)
        case Table(heads, rows):
            return _table(heads, rows)


def _item(block: Block) -> rx.Component:
    return rx.fragment(*_inlines(block.content)) if isinstance(block, Paragraph) else _block(block)


def _table(heads: Sequence[Sequence[Inline]], rows: Sequence[Sequence[Sequence[Inline]]]) -> rx.Component:
    head = rx.el.tr(*[rx.el.th(*_inlines(cell), scope="col") for cell in heads])
    body = [rx.el.tr(*[rx.el.td(*_inlines(cell)) for cell in row]) for row in rows]
    table = rx.el.table(rx.el.thead(head), rx.el.tbody(*body))
    with use(ENGLISH):
        label = t("Table")
    return rx.el.div(table, class_name="sideways", tab_index=0, role="group", aria_label=label)


def _inlines(content: Sequence[Inline]) -> list[rx.Component | str]:
    return [_inline(one) for one in content]


def _inline(one: Inline) -> rx.Component | str:
    match one:
        case Words(text):
            return text
        case Strong(content):
            return rx.el.strong(*_inlines(content))
        case Emphasis(content):
            return rx.el.em(*_inlines(content))
        case Link(target, content):
            return rx.el.elements.a(*_inlines(content), href=href(target))

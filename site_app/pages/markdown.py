"""Draws a text that was read from Markdown."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import reflex as rx
from PIL import Image

from site_app.i18n import href
from site_app.i18n.markdown import tree
from site_app.i18n.markdown.reader import BrokenText

ASSETS = Path(__file__).parents[2] / "assets"


def drawn(blocks: Sequence[tree.Block]) -> list[rx.Component]:
    """An element for each block, for a container of the class `prose`."""
    return [_block(block) for block in blocks]


def _block(block: tree.Block) -> rx.Component:
    match block:
        case tree.Heading(level, anchor, content):
            return (rx.el.h2 if level == 2 else rx.el.h3)(*_inlines(content), id=anchor or None)
        case tree.Paragraph(content):
            return rx.el.p(*_inlines(content))
        case tree.ListBlock(ordered, items):
            entries = [rx.el.li(*[_item(inner) for inner in item]) for item in items]
            return (rx.el.ol if ordered else rx.el.ul)(*entries)
        case tree.Table(heads, rows):
            return _table(heads, rows)


def _item(block: tree.Block) -> rx.Component:
    return rx.fragment(*_inlines(block.content)) if isinstance(block, tree.Paragraph) else _block(block)


def _table(heads: Sequence[Sequence[tree.Inline]], rows: Sequence[Sequence[Sequence[tree.Inline]]]) -> rx.Component:
    head = rx.el.tr(*[rx.el.th(*_inlines(cell), scope="col") if cell else rx.el.td() for cell in heads])
    body = [rx.el.tr(*[rx.el.td(*_inlines(cell)) for cell in row]) for row in rows]
    table = rx.el.table(rx.el.thead(head), rx.el.tbody(*body))
    label = ", ".join(filter(None, map(tree.plain, heads)))
    return rx.el.div(table, class_name="sideways", tab_index=0, role="group", aria_label=label)


def _inlines(content: Sequence[tree.Inline]) -> list[rx.Component | str]:
    return [_inline(one) for one in content]


def _inline(one: tree.Inline) -> rx.Component | str:
    match one:
        case tree.Words(text):
            return text
        case tree.Strong(content):
            return rx.el.strong(*_inlines(content))
        case tree.Emphasis(content):
            return rx.el.em(*_inlines(content))
        case tree.Link(target, content):
            return rx.el.elements.a(*_inlines(content), href=href(target))
        case tree.Picture(src, alt):
            return _picture(src, alt)


def _picture(src: str, alt: str) -> rx.Component:
    width, height = _size(ASSETS / src.lstrip("/"))
    return rx.el.img(src=src, alt=alt, loading="lazy", custom_attrs={"width": width, "height": height})


def _size(file: Path) -> tuple[int, int]:
    """Its pixels, so that the page keeps its place before it is loaded."""
    if not file.is_file():
        raise BrokenText(f"there is no {file}: pictures stand under assets/")
    if file.suffix != ".svg":
        with Image.open(file) as picture:
            return picture.size
    view_box = ElementTree.parse(file).getroot().attrib["viewBox"]  # noqa: S314  a file of our own
    _, _, width, height = (round(float(number)) for number in view_box.split())
    return width, height

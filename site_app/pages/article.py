"""Pages of continuous text: an article, a sample document, and the components for Markdown."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import reflex as rx
from markdown_it.tree import SyntaxTreeNode as Node
from PIL import Image

from components.sections.article import side_contents
from components.sections.hero import call_to_action, page_head
from components.sections.tables import paper
from site_app.content.records import Article, Part
from site_app.content.sample_documents import SampleDocument
from site_app.core.i18n import ENGLISH, href, is_fallback
from site_app.core.i18n.markdown import BrokenText, anchor, blocks, plain

ASSETS = Path(__file__).parents[2] / "assets"
_RANGE = re.compile(r"(?<=\d)–(?=\d)")


def components_of(nodes: Iterable[Node]) -> list[Any]:
    """Returns the components for the nodes, to be placed inside an element of the class `prose`."""
    return [part for node in nodes for part in _parts(node)]


def _parts(node: Node) -> list[Any]:
    """Returns a node's text or element; for an inline node and a paragraph in a list, their children."""
    if node.type == "text":
        words = _RANGE.sub("–\u2060", node.content.replace("\n", " "))  # no line break inside 4–12
        return [words] if words else []
    if node.type == "inline" or (node.type == "paragraph" and node.parent and node.parent.type == "list_item"):
        return components_of(node.children)
    return [_element(node)]


def _element(node: Node) -> rx.Component:
    inside = components_of(node.children)
    match node.type:
        case "heading":
            return getattr(rx.el, node.tag)(*inside, id=anchor(node) or None)
        case "link":
            return rx.el.elements.a(*inside, href=href(str(node.attrGet("href"))))
        case "image":
            return _picture(str(node.attrGet("src")), node.content)
        case "table":
            return _table(node)
        case "th":
            return rx.el.th(*inside, scope="col") if plain(node) else rx.el.td()
    return getattr(rx.el, node.tag)(*inside)


def _table(node: Node) -> rx.Component:
    label = ", ".join(filter(None, map(plain, node.children[0].children[0].children)))
    table = rx.el.table(*components_of(node.children))
    return rx.el.div(table, class_name="sideways", tab_index=0, role="group", aria_label=label)


def _picture(src: str, alt: str) -> rx.Component:
    width, height = _size(ASSETS / src.lstrip("/"))
    return rx.el.img(src=src, alt=alt, loading="lazy", custom_attrs={"width": width, "height": height})


def _size(file: Path) -> tuple[int, int]:
    """Returns a picture's width and height in pixels, which reserve its space before it loads."""
    if not file.is_file():
        raise BrokenText(f"there is no {file}: pictures stand under assets/")
    if file.suffix != ".svg":
        with Image.open(file) as picture:
            return picture.size
    view_box = ElementTree.parse(file).getroot().attrib["viewBox"]  # noqa: S314  our own file
    _, _, width, height = (round(float(number)) for number in view_box.split())
    return width, height


def article(words: Callable[[], Article], *sections: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """Returns the page of one article; `sections` are added before the invitation, such as a form."""

    def page() -> rx.Component:
        texts = words()
        return rx.fragment(
            page_head(headline=texts.headline, lead=texts.lead),
            side_contents(
                title=texts.contents,
                entries=[(part.heading, f"#{part.anchor}") for part in texts.parts],
                body=rx.el.div(*[_part(part) for part in texts.parts], class_name="prose"),
            ),
            *[section() for section in sections],
            call_to_action(texts.invitation),
        )

    return page


def _part(part: Part) -> rx.Component:
    paragraphs = [rx.el.p(text) for text in part.paragraphs]
    points = [rx.el.ul(*[rx.el.li(text) for text in part.points])] if part.points else []
    text = components_of(blocks(part.markdown))
    if is_fallback(part.markdown):  # mark the whole part, because only the whole text was looked up, not the text of its nodes
        text = [rx.el.div(*text, lang=ENGLISH.tag, class_name="prose")]
    return rx.el.section(rx.el.h2(part.heading, id=part.anchor), *paragraphs, *points, *text, class_name="prose")


def sample_document(words: Callable[[], SampleDocument]) -> Callable[[], rx.Component]:
    def page() -> rx.Component:
        texts = words()
        return rx.fragment(
            page_head(headline=texts.headline, lead=texts.lead, note=texts.note, short=True),
            paper(
                head=texts.head,
                label=texts.label,
                sheets=[(sheet.heading, components_of(blocks(sheet.markdown)), sheet.foot) for sheet in texts.sheets],
                link=texts.other,
            ),
            call_to_action(texts.invitation),
        )

    return page

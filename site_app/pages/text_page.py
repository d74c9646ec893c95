"""Pages that are written: texts in parts, sample documents and legal texts, whose Markdown becomes paragraphs, lists and tables."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import reflex as rx
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode as Node
from markdown_it.utils import OptionsDict

from components.sections.article import side_contents, summary
from components.sections.hero import call_to_action, figure_line, page_head
from components.sections.tables import budget_list, comparison_table, paper, report_parts
from components.ui.button import action_row
from components.ui.text import headline, section
from site_app.content.legal import legal_page, summary_of
from site_app.content.records import Part, TextPage
from site_app.content.routes import BY_PATH
from site_app.content.sample_documents import PaperSheet, SampleDocument
from site_app.core import ROOT, business
from site_app.core.i18n import current, is_fallback, join_list, t
from site_app.core.i18n.clocks import date_words
from site_app.core.i18n.markdown import BrokenText, Document, Env, HtmlRenderer, anchor, parse_blocks, plain_inline, plain_text
from site_app.core.locales import ENGLISH

ASSETS = ROOT / "assets"
Join = Callable[[Iterable[str]], str]


def components_of(nodes: Iterable[Node], join: Join = join_list, *, table_roles: bool = True) -> list[Any]:
    """Returns an element for each block of Markdown, to be placed inside an element of the class `prose`.

    `join` makes the label of a table from its heads. Tables that stay tables on a phone need no `table_roles`.
    """
    return [_block(node, join, table_roles) for node in nodes]


def _block(node: Node, join: Join, table_roles: bool) -> rx.Component:
    """Returns the block's own element, which holds the HTML of all that is in it.

    The element itself is Reflex's, so that it can have a label or an id; its content stays HTML: one element per block, not one per word.
    """
    # No <p> inside the items of a list, even if blank lines separate them.
    for part in node.walk():
        if part.type == "paragraph" and part.parent and part.parent.type == "list_item" and part.nester_tokens:
            part.nester_tokens.opening.hidden = part.nester_tokens.closing.hidden = True
    html = _renderer.render(node.to_tokens(), _parser.options, {"table_roles": table_roles})
    inner_html = html[html.index(">") + 1 : html.rindex("</")].strip("\n")
    attributes = {"dangerouslySetInnerHTML": {"__html": inner_html}}
    if node.type == "table":
        label = join(filter(None, map(plain_text, node.children[0].children[0].children)))
        return rx.el.div(class_name="sideways", tab_index=0, role="group", aria_label=label, custom_attrs=attributes)
    if node.type == "heading":
        return getattr(rx.el, node.tag)(id=anchor(node) or None, custom_attrs=attributes)
    return getattr(rx.el, node.tag)(custom_attrs=attributes)


class _PartRenderer(HtmlRenderer):
    """Draws pictures under assets/, and notes in each cell of a table the head of its column, which a phone shows above it."""

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return super().text(tokens, idx, options, env).replace("\n", " ")

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        src = str(tokens[idx].attrGet("src"))
        alt = tokens[idx].content
        width, height = _size(ASSETS / src.lstrip("/"))
        return f'<img src="{escape(src)}" alt="{escape(alt)}" loading="lazy" width="{width}" height="{height}"/>'

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        env.setdefault("heads", []).append(plain_inline(tokens[idx + 1]))
        return super().th_open(tokens, idx, options, env)

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        tokens_of_row = takewhile(lambda token: token.type != "tr_open", reversed(tokens[:idx]))
        column = sum(token.type == "td_open" for token in tokens_of_row)
        if column and env["heads"][column]:
            tokens[idx].attrSet("data-head", env["heads"][column])
        return super().td_open(tokens, idx, options, env)


_parser = MarkdownIt("commonmark")
_renderer = _PartRenderer()


def _size(file: Path) -> tuple[int, int]:
    """Returns a picture's width and height in pixels, which reserve its space before it loads."""
    if not file.is_file():
        raise BrokenText(f"there is no {file}: pictures belong under assets/")
    if file.suffix != ".svg":
        from PIL import Image  # only a build gets here

        with Image.open(file) as picture:
            return picture.size
    view_box = ElementTree.parse(file).getroot().attrib["viewBox"]  # noqa: S314  our own file
    _, _, width, height = (round(float(number)) for number in view_box.split())
    return width, height


def text_page(words: Callable[[], TextPage], *sections: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """Returns a page of text in parts; `sections` are added before the invitation, such as a form."""

    def page() -> rx.Component:
        texts = words()
        compared = [texts.comparison] if texts.comparison else []
        return rx.fragment(
            page_head(
                headline=texts.headline,
                intro=texts.intro,
                short=True,
                wide=bool(texts.budgets),
                below=action_row(texts.actions, class_name="mt-6") if texts.actions else None,
            ),
            *([budget_list(texts.budgets)] if texts.budgets else []),
            *([figure_line(texts.figures)] if texts.figures else []),
            *(_beside_contents(texts.contents, texts.parts) if texts.contents else map(_part_of_page, texts.parts)),
            *[comparison_table(comparison) for comparison in compared],
            *[section() for section in sections],
            call_to_action(texts.invitation),
        )

    return page


def _beside_contents(title: str, parts: Sequence[Part]) -> list[rx.Component]:
    return [
        side_contents(
            rx.el.div(
                *[rx.el.section(rx.el.h2(part.heading, id=part.anchor), *_content(part), class_name="prose") for part in parts],
                class_name="prose",
            ),
            title=title,
            entries=[(part.heading, f"#{part.anchor}") for part in parts],
        )
    ]


def _part_of_page(part: Part) -> rx.Component:
    """Returns a part as a section of its own, its heading at the left."""
    return section(
        headline(part.heading, anchor=part.anchor, class_name="split-side"),
        rx.el.div(*_content(part), class_name="prose"),
        layout="split",
        ground="border-t border-line",
    )


def _content(part: Part) -> list[rx.Component]:
    paragraphs = [rx.el.p(text) for text in part.paragraphs]
    points = [rx.el.ul(*[rx.el.li(text) for text in part.points], class_name="ruled")] if part.points else []
    text = components_of(parse_blocks(part.markdown))
    if is_fallback(part.markdown):  # mark the whole part, because only the whole text was looked up, not the text of its nodes
        text = [rx.el.div(*text, lang=ENGLISH.tag, class_name="prose")]
    return [*paragraphs, *points, *text]


def sample_document(words: Callable[[], SampleDocument]) -> Callable[[], rx.Component]:
    def page() -> rx.Component:
        texts = words()
        return rx.fragment(
            page_head(headline=texts.headline, intro=texts.intro, note=texts.note, short=True),
            paper(
                head=texts.head,
                label=texts.label,
                sheets=[(sheet.heading, sheet.verdict, _sheet_content(sheet), sheet.foot) for sheet in texts.sheets],
                link=texts.other_document,
                reading=texts.reading,
            ),
            call_to_action(texts.invitation),
        )

    return page


def _sheet_content(sheet: PaperSheet) -> list[rx.Component]:
    """Returns the blocks of a sheet; the first parts of a report stand beside their labels, below its progress bars."""
    nodes = parse_blocks(sheet.markdown)
    blocks = components_of(nodes)
    if not sheet.kinds:
        return blocks
    starts = [place for place, node in enumerate(nodes) if node.type == "heading"][: len(sheet.kinds) + 1]
    parts = [
        (kind, plain_text(nodes[start]), blocks[start + 1 : end])
        for kind, start, end in zip(sheet.kinds, starts, starts[1:], strict=False)
    ]
    return [*blocks[: starts[0]], *report_parts(parts, sheet.progress), *blocks[starts[-1] :]]


def legal(path: str) -> Callable[[], rx.Component]:
    """Returns the page of one legal text: always in English, which is legally binding, below a summary in the current language."""

    def page() -> rx.Component:
        text = legal_page(path)
        return rx.el.article(  # a single child of main, so that the whole text is in the first paint (see base.css)
            page_head(headline=_title(path, text), note=_dates(path, text), short=True),
            *([] if current() is ENGLISH else [rx.el.div(_summary(path), class_name="wrap summary-band")]),
            side_contents(
                rx.el.div(*components_of(text.blocks, ", ".join), lang=ENGLISH.tag, class_name="prose legal"),
                title=t("On this page"),
                entries=[(plain_text(heading), f"#{anchor(heading)}") for heading in text.headings if heading.tag == "h2"],
                lang=ENGLISH.tag,
            ),
        )

    return page


def _dates(path: str, text: Document) -> str:
    """Returns from when the text applies; of the privacy policy, which says both, also when its wording was changed."""
    effective = date_words(text.effective)
    if path != "/legals/privacy-policy":
        return t("Effective from {day}", day=effective)
    revised = date_words(business.PRIVACY_REVISED)
    return t("Effective since {day}; wording last revised on {revised}", day=effective, revised=revised)


def _title(path: str, text: Document) -> rx.Component:
    english = rx.el.span(text.title, lang=ENGLISH.tag)
    if current() is ENGLISH:
        return english
    english.class_name = "page-head-original"
    return rx.fragment(BY_PATH[path].title(), english)


def _summary(path: str) -> rx.Component:
    return summary(
        title=t("Summary in your language"),
        lines=summary_of(path),
        note=t("This summary helps you find your way and is not part of the text. The English text below is the binding one."),
    )

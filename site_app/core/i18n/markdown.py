"""Markdown to HTML for all texts of the site; and the parser of legal texts and parts of pages, which refuses what their pages cannot show.

Quotes and code are refused there because only the pages of articles have styles for them. Articles have a parser of their own
(content/publications/prose.py): it collects all mistakes with their lines, for the office and for feeds.
"""

import re
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from itertools import takewhile
from textwrap import shorten
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode as Node
from markdown_it.utils import OptionsDict

from site_app.core.i18n.current_locale import href
from site_app.core.i18n.glossary import parts_around_whole_words
from site_app.core.i18n.translate import join_list

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_FRONT_KEYS = {"title", "effective", "description"}
_TABLE = {"table", "thead", "tbody", "tr", "th", "td"}
_ALLOWED = {"paragraph", "inline", "text", "strong", "em", "link", "image", "bullet_list", "ordered_list", "list_item"} | _TABLE
_HEADINGS = ("h2", "h3")
_RANGE = re.compile(r"(?<=\d)–(?=[£$€¥฿]?\d)")
# The space between a number and its noun, “6 weeks”, but not after a price; and before a number that ends a part of the sentence, “week 6,”.
_NUMBER = re.compile(
    r"(?<![\w£$€¥฿.,])(?P<number>\d++(?:[.,]\d++)*+) (?=[^\W\d_])|(?<=[^\W\d_]) (?=\d++(?:[,.]\d++)*+(?:[,.;:!?()]|$))"
)
# Letters of scripts that write words without spaces, Thai and Chinese, and Chinese punctuation.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]")
# No emphasis begins before a closing sign, or ends after an opening one: an asterisk there is that of a footnote, as in 价格*。
_NOT_OPENED_BEFORE = re.compile(r"[\s.,:;!?)\]}」』】》〉）］｝”’。，、：；！？]|$")
_NOT_CLOSED_AFTER = re.compile(r"[\s(\[{「『【《〈（［｛“‘]|$")
WHOLE_WORD = "whole-word"  # an element that does not break
Env = MutableMapping[str, Any]


def with_unspaced_emphasis(parser: MarkdownIt) -> MarkdownIt:
    """Lets `**` begin and end beside punctuation in Thai and Chinese: by CommonMark, **“甲”** would need a space or a sign on either side."""
    parser.inline.ruler.at("emphasis", _emphasis)
    return parser


def _emphasis(state: StateInline, silent: bool) -> bool:
    start = state.pos
    delimiter_count = len(state.delimiters)
    is_emphasis = emphasis.tokenize(state, silent)
    previous_char, next_char = state.src[:start][-1:], state.src[state.pos :][:1]
    if state.src[start] == "*" and _UNSPACED.search(previous_char + next_char):
        for delimiter in state.delimiters[delimiter_count:]:
            delimiter.open = delimiter.open or not _NOT_OPENED_BEFORE.match(next_char)
            delimiter.close = delimiter.close or not _NOT_CLOSED_AFTER.match(previous_char)
    return is_emphasis


class BrokenText(Exception):
    """A text contains something that its page cannot show; the message says what."""


_TABLE_ROLES = {
    "thead_open": "rowgroup",
    "tbody_open": "rowgroup",
    "tr_open": "row",
    "th_open": "columnheader",
    "td_open": "cell",
}


class HtmlRenderer(RendererHTML):
    """Renders as markdown-it does, except that tables scroll sideways, links keep the language, and lines keep numbers and words whole."""

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        parts = [escapeHtml(part) for part in parts_around_whole_words(unbroken_numbers(tokens[idx].content))]
        parts[1::2] = [f"<{WHOLE_WORD}>{word}</{WHOLE_WORD}>" for word in parts[1::2]]
        return "".join(parts)

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        heads = []
        for token in tokens[idx:]:
            if token.type == "thead_close":
                break
            if token.type == "inline" and token.content:
                heads.append(plain_inline(token))
        label = escape(join_list(heads))
        role = ' role="table"' if env.get("table_roles", True) and _set_roles(tokens[idx:]) else ""
        return f'<div class="sideways" tabindex="0" role="group" aria-label="{label}"><table{role}>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        _align(tokens[idx])
        if not tokens[idx + 1].content:
            tokens[idx].tag = tokens[idx + 2].tag = "td"  # an empty head names no column
            if tokens[idx].attrGet("role"):
                tokens[idx].attrSet("role", "cell")
        else:
            tokens[idx].attrSet("scope", "col")
        return self.renderToken(tokens, idx, options, env)

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        _align(tokens[idx])
        return self.renderToken(tokens, idx, options, env)

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        """Changes a copy of the token, because the same text is rendered in several languages."""
        attributes = {**tokens[idx].attrs, "href": href(str(tokens[idx].attrGet("href")))}
        return f"<a{self.renderAttrs(tokens[idx].copy(attrs=attributes))}>"


def _set_roles(tokens: Sequence[Token]) -> bool:
    """Gives the parts of a table of three columns and more their roles; returns False for a narrower one.

    A phone shows such a table as a grid (prose.css), and display: grid removes the semantics of a table in WebKit.
    """
    table = [*takewhile(lambda token: token.type != "table_close", tokens)]
    if sum(token.type == "th_open" for token in table) < 3:
        return False
    for token in table:
        if token.type in _TABLE_ROLES:
            token.attrSet("role", _TABLE_ROLES[token.type])
    return True


def unbroken_numbers(text: str) -> str:
    """Returns the text without line breaks inside “4–12”, and between a number and its noun."""
    return _NUMBER.sub(lambda space: f"{space['number'] or ''}\u00a0", _RANGE.sub("–\u2060", text))


def plain_inline(inline: Token) -> str:
    """Returns the words of a line without its markup."""
    return "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))


@dataclass(frozen=True)
class Document:
    """A legal text; its blocks are markdown-it nodes."""

    title: str
    description: str
    effective: date
    blocks: list[Node]

    @property
    def headings(self) -> list[Node]:
        return [block for block in self.blocks if block.type == "heading"]

    def anchors(self) -> list[str]:
        return [anchor(heading) for heading in self.headings]

    def links(self) -> list[str]:
        """Returns the link targets of the text in order."""
        return [str(node.attrGet("href")) for block in self.blocks for node in block.walk() if node.type == "link"]


def parse_document(markdown: str, *, values: Mapping[str, str], paths: Collection[str]) -> Document:
    """Parses a text and fills in the values, escaped. Raises BrokenText on an unknown {placeholder}, a dead link or unsupported Markdown."""
    front, body = _front_and_body(markdown)
    fields = {key: _PLACEHOLDER.sub(lambda match: _value(match[1], values), text) for key, text in front.items()}
    document = Document(
        title=fields["title"],
        description=fields["description"],
        effective=date.fromisoformat(fields["effective"]),
        blocks=parse_blocks(_PLACEHOLDER.sub(lambda match: escaped(_value(match[1], values)), body)),
    )
    _check_headings(document)
    _check_links(document, paths)
    return document


def parse_blocks(markdown: str) -> list[Node]:
    """Parses a text without front matter and {placeholders}; raises BrokenText on unsupported Markdown."""
    # With the rule "newline" disabled, a line break stays a plain character of the text.
    parser = with_unspaced_emphasis(MarkdownIt("commonmark", {"html": False})).enable("table").disable("newline")
    nodes = Node(parser.parse(markdown)).children
    lines = markdown.splitlines()
    for block in nodes:
        for node in block.walk():
            if node.type not in _ALLOWED and node.tag not in _HEADINGS:
                first_line = lines[block.map[0]] if block.map else ""
                kind = node.tag or node.type
                raise BrokenText(f"{kind} is not supported, in the text that begins with {shorten(first_line, 80)!r}")
    return nodes


def plain_text(node: Node) -> str:
    """Returns the text without its markup."""
    return "".join(text_node.content for text_node in node.walk() if text_node.type == "text")


def anchor(heading: Node) -> str:
    """Returns the anchor of a heading, for links."""
    return re.sub(r"[^a-z0-9]+", "-", plain_text(heading).lower().replace("’", "")).strip("-")


def escaped(words: str) -> str:
    """Escapes punctuation, so that a brand called A*B* does not become emphasis."""
    return _PUNCTUATION.sub(r"\\\1", words)


def _front_and_body(markdown: str) -> tuple[dict[str, str], str]:
    head, fence, body = markdown.removeprefix("---\n").partition("\n---\n")
    lines = (line.partition(":") for line in head.splitlines())
    fields = {key.strip(): text.strip() for key, _, text in lines}
    if not fence or fields.keys() != _FRONT_KEYS:
        raise BrokenText(f"the front matter must name {', '.join(sorted(_FRONT_KEYS))}; it names {sorted(fields)}")
    return fields, body


def _value(name: str, values: Mapping[str, str]) -> str:
    if name not in values:
        raise BrokenText(f"there is no value for {{{name}}}")
    return values[name]


def _check_headings(document: Document) -> None:
    if document.headings and document.headings[0].tag != "h2":
        raise BrokenText(f"the heading {plain_text(document.headings[0])!r} of level 3 has none of level 2 above it")
    anchors = document.anchors()
    repeated = sorted({name for name in anchors if anchors.count(name) > 1})
    if repeated:
        raise BrokenText(f"two headings share the anchor #{repeated[0]}")


def _check_links(document: Document, paths: Collection[str]) -> None:
    for target in document.links():
        path, _, heading = target.partition("#")
        inside = path in paths if path else heading in document.anchors()
        if not inside and not target.startswith(("https://", "mailto:", "tel:")):
            raise BrokenText(f"the link {target} leads nowhere")


def _align(cell: Token) -> None:
    """Puts a class in the place of the style by which the parser aligns a column, because the policy allows no inline style."""
    style = str(cell.attrs.pop("style", ""))
    if style in _ALIGNED:
        cell.attrSet("class", _ALIGNED[style])


_ALIGNED = {"text-align:right": "cell-right", "text-align:center": "cell-center"}

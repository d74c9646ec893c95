"""Reads the part of Markdown that pages are written in, and refuses the rest."""

import re
from collections.abc import Collection, Mapping
from datetime import date
from textwrap import shorten

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from site_app.i18n.markdown import tree

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_RANGE = re.compile(r"(?<=\d)–(?=\d)")
_FRONT_KEYS = {"title", "effective", "description"}


class BrokenText(Exception):
    """A text says something that its page could not show; the message says what."""


def read(
    markdown: str, *, values: Mapping[str, str], tables: Mapping[str, tree.Table], paths: Collection[str]
) -> tree.Document:
    """The text as a tree; raises on an unknown {placeholder}, a dead link or Markdown beyond the subset.

    A value fills its placeholder as plain words; a table takes the place of the paragraph that names it.
    """
    front, body = _split(markdown)
    fields = {key: _PLACEHOLDER.sub(lambda found: _value(found[1], values), text) for key, text in front.items()}
    filled = _PLACEHOLDER.sub(lambda found: found[0] if found[1] in tables else _escaped(_value(found[1], values)), body)
    content = _blocks(filled, tables)
    document = tree.Document(
        title=fields["title"],
        description=fields["description"],
        effective=date.fromisoformat(fields["effective"]),
        contents=_contents(content),
        blocks=content,
    )
    _check_anchors(document)
    _check_links(document, paths)
    return document


def blocks(markdown: str) -> tuple[tree.Block, ...]:
    """A text without front matter and {placeholders}; raises on Markdown beyond the subset."""
    return _blocks(markdown, {})


def _blocks(markdown: str, tables: Mapping[str, tree.Table]) -> tuple[tree.Block, ...]:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    lines, found = markdown.splitlines(), []
    for node in SyntaxTreeNode(parser.parse(markdown)).children:
        try:
            found.append(_block(node, tables))
        except BrokenText as error:
            first = lines[node.map[0]] if node.map else ""
            raise BrokenText(f"{error}, in the text that begins with {shorten(first, 80)!r}") from None
    return tuple(found)


def _split(markdown: str) -> tuple[dict[str, str], str]:
    head, fence, body = markdown.removeprefix("---\n").partition("\n---\n")
    lines = (line.partition(":") for line in head.splitlines())
    fields = {key.strip(): text.strip() for key, _, text in lines}
    if not fence or fields.keys() != _FRONT_KEYS:
        raise BrokenText(f"the front matter must name {', '.join(sorted(_FRONT_KEYS))}, and does name {sorted(fields)}")
    return fields, body


def _value(name: str, values: Mapping[str, str]) -> str:
    if name not in values:
        raise BrokenText(f"there is no value for {{{name}}}")
    return values[name]


def _escaped(words: str) -> str:
    """The words with their punctuation escaped: a brand called A*B* is no emphasis."""
    return _PUNCTUATION.sub(r"\\\1", words)


def _block(node: SyntaxTreeNode, tables: Mapping[str, tree.Table]) -> tree.Block:
    match node.type:
        case "heading" if node.tag in ("h2", "h3"):
            content = _inline(node)
            return tree.Heading(int(node.tag[1]), _anchor(tree.plain(content)), content)
        case "paragraph":
            named = _PLACEHOLDER.fullmatch(node.children[0].content)
            return tables[named[1]] if named and tables else tree.Paragraph(_inline(node))
        case "bullet_list" | "ordered_list":
            items = tuple(tuple(_block(inner, tables) for inner in item.children) for item in node.children)
            return tree.ListBlock(node.type == "ordered_list", items)
        case "table":
            heads, *rows = (tuple(_inline(cell) for cell in row.children) for part in node.children for row in part.children)
            return tree.Table(heads, tuple(rows))
    raise BrokenText(f"{node.tag or node.type} is not taken here")


def _inline(node: SyntaxTreeNode) -> tuple[tree.Inline, ...]:
    for inline in node.children:
        if _PLACEHOLDER.search(inline.content):
            raise BrokenText(f"a table needs a paragraph of its own: {inline.content!r}")
    return _merged(tuple(_word(one) for inline in node.children for one in inline.children))


def _word(node: SyntaxTreeNode) -> tree.Inline:
    if node.type in ("text", "text_special"):
        return tree.Words(_RANGE.sub("–\u2060", node.content))  # 4–12 stays in one line
    if node.type == "softbreak":
        return tree.Words(" ")
    if node.type == "image":
        return tree.Picture(str(node.attrGet("src")), node.content)
    if node.type not in ("strong", "em", "link"):
        raise BrokenText(f"{node.type} is not taken here: {node.content or node.markup!r}")
    content = _merged(tuple(_word(one) for one in node.children))
    if node.type == "link":
        return tree.Link(str(node.attrGet("href")), content)
    return tree.Strong(content) if node.type == "strong" else tree.Emphasis(content)


def _merged(content: tuple[tree.Inline, ...]) -> tuple[tree.Inline, ...]:
    """The content with Words that follow each other joined: escapes and line ends leave many."""
    merged: list[tree.Inline] = []
    for one in content:
        last = merged[-1] if merged else None
        if isinstance(one, tree.Words) and isinstance(last, tree.Words):
            merged[-1] = tree.Words(last.text + one.text)
        elif one != tree.Words(""):
            merged.append(one)
    return tuple(merged)


def _anchor(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower().replace("’", "")).strip("-")


def _contents(blocks: tuple[tree.Block, ...]) -> tuple[tree.Entry, ...]:
    entries: list[tree.Entry] = []
    for heading in (block for block in blocks if isinstance(block, tree.Heading)):
        entry = tree.Entry(heading.anchor, tree.plain(heading.content))
        if heading.level == 2:
            entries.append(entry)
        elif entries:
            last = entries[-1]
            entries[-1] = tree.Entry(last.anchor, last.text, (*last.entries, entry))
        else:
            raise BrokenText(f"the heading {entry.text!r} of level 3 has none of level 2 above it")
    return tuple(entries)


def _check_anchors(document: tree.Document) -> None:
    headings = [block.anchor for block in document.blocks if isinstance(block, tree.Heading)]
    twice = sorted({anchor for anchor in headings if headings.count(anchor) > 1})
    if twice:
        raise BrokenText(f"two headings share the anchor #{twice[0]}")


def _check_links(document: tree.Document, paths: Collection[str]) -> None:
    for href in document.links():
        path, _, anchor = href.partition("#")
        inside = path in paths if path else anchor in document.anchors()
        if not inside and not href.startswith(("https://", "mailto:", "tel:")):
            raise BrokenText(f"the link {href} leads nowhere")

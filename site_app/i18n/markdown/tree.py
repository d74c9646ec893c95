"""The tree of a Markdown text, from which its page is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Words:
    text: str


@dataclass(frozen=True)
class Strong:
    content: tuple[Inline, ...]


@dataclass(frozen=True)
class Emphasis:
    content: tuple[Inline, ...]


@dataclass(frozen=True)
class Link:
    href: str
    content: tuple[Inline, ...]


@dataclass(frozen=True)
class Picture:
    """A file under assets/, with what it shows in words."""

    src: str
    alt: str


Inline = Words | Strong | Emphasis | Link | Picture


@dataclass(frozen=True)
class Heading:
    """A heading of level 2 or 3, with the anchor that links name."""

    level: int
    anchor: str
    content: tuple[Inline, ...]


@dataclass(frozen=True)
class Paragraph:
    content: tuple[Inline, ...]


@dataclass(frozen=True)
class ListBlock:
    ordered: bool
    items: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True)
class Table:
    heads: tuple[tuple[Inline, ...], ...]
    rows: tuple[tuple[tuple[Inline, ...], ...], ...]


Block = Heading | Paragraph | ListBlock | Table


@dataclass(frozen=True)
class Entry:
    """A line of the table of contents, with the headings of level 3 below it."""

    anchor: str
    text: str
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Document:
    title: str
    description: str
    effective: date
    contents: tuple[Entry, ...]
    blocks: tuple[Block, ...]

    def anchors(self) -> frozenset[str]:
        return frozenset(block.anchor for block in self.blocks if isinstance(block, Heading))

    def links(self) -> tuple[str, ...]:
        """Where the text leads, in its order."""
        return tuple(one.href for block in self.blocks for one in _inlines(block) if isinstance(one, Link))


def plain(content: Iterable[Inline]) -> str:
    """The words without their markup."""
    return "".join(
        one.text if isinstance(one, Words) else plain(one.content) for one in content if not isinstance(one, Picture)
    )


def _inlines(block: Block) -> Iterator[Inline]:
    match block:
        case Heading(content=content) | Paragraph(content=content):
            yield from _flat(content)
        case ListBlock(items=items):
            for item in items:
                for inner in item:
                    yield from _inlines(inner)
        case Table(heads=heads, rows=rows):
            for cell in (*heads, *(cell for row in rows for cell in row)):
                yield from _flat(cell)


def _flat(content: tuple[Inline, ...]) -> Iterator[Inline]:
    for one in content:
        yield one
        if not isinstance(one, Words | Picture):
            yield from _flat(one.content)

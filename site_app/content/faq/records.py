"""The shape of a question and its answer."""

from dataclasses import dataclass

from site_app.content.records import Invitation, Link


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Item:
    """One entry of a list; `title` may be empty."""

    title: str
    text: str


@dataclass(frozen=True)
class ItemList:
    items: tuple[Item, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Onward:
    """The link an answer ends in."""

    link: Link


Block = Paragraph | ItemList | Onward


@dataclass(frozen=True)
class Question:
    """A question with its answer as blocks; `slug` is its anchor on the page."""

    id: int
    slug: str
    question: str
    content: tuple[Block, ...]
    expanded: bool = False

    def plain(self) -> str:
        """The answer as running text, for search engines."""
        return " ".join(part for block in self.content for part in _plain(block))


@dataclass(frozen=True)
class FaqCategory:
    slug: str
    name: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Faq:
    claim: str
    lead: str
    illustration: str
    contents: str
    categories: tuple[FaqCategory, ...]
    invitation: Invitation


def _plain(block: Block) -> tuple[str, ...]:
    match block:
        case Paragraph(text):
            return (text,)
        case ItemList(items):
            return tuple(_sentence(item) for item in items)
        case Onward():
            return ()


def _sentence(item: Item) -> str:
    words = f"{item.title}: {item.text}" if item.title else item.text
    return words if words.endswith(".") else f"{words}."

"""The shape of a question and its answer."""

from dataclasses import dataclass

from components.words import Invitation
from site_app.content.records import Link
from site_app.core.i18n import t


@dataclass(frozen=True)
class Item:
    """One entry of a list; `title` may be empty."""

    title: str
    text: str


@dataclass(frozen=True)
class ItemList:
    items: tuple[Item, ...]
    ordered: bool = False


Block = str | ItemList | Link  # a paragraph, a list, a link that leads on


@dataclass(frozen=True)
class Question:
    """A question with its answer as blocks; `slug` is its anchor on the page."""

    id: int
    slug: str
    question: str
    content: tuple[Block, ...]
    expanded: bool = False

    def plain(self) -> str:
        """The answer as lines of text, for search engines."""
        return "\n".join(part for block in self.content for part in _plain(block))


@dataclass(frozen=True)
class FaqCategory:
    slug: str
    name: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Faq:
    headline: str
    lead: str
    illustration: str
    contents: str
    categories: tuple[FaqCategory, ...]
    invitation: Invitation


def _plain(block: Block) -> tuple[str, ...]:
    match block:
        case str():
            return (block,)
        case ItemList(items):
            return tuple(_line(item) for item in items)
        case Link():
            return ()


def _line(item: Item) -> str:
    return t("{title}: {text}", title=item.title, text=item.text) if item.title else item.text

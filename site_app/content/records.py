"""The shapes of what the site says that more than one screen uses."""

from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from site_app.i18n import href, in_english
from site_app.routes import PLAIN_BOOKING

Item = TypeVar("Item")
Dialog = Literal["quote", "contact", "consultation"]


@dataclass(frozen=True)
class Link:
    """Words that lead somewhere; `href` is given as the spec's plain path and kept in the language being written.

    A legal text is in English only, which its link says.
    """

    text: str
    href: str

    def __post_init__(self) -> None:
        if self.href.startswith("/legals/"):
            object.__setattr__(self, "text", in_english(self.text))
        object.__setattr__(self, "href", href(self.href))


@dataclass(frozen=True)
class Action:
    """A button that opens a dialog; `href` is the page that does without scripts what the dialog does."""

    text: str
    dialog: Dialog
    href: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "href", href(PLAIN_BOOKING if self.dialog == "consultation" else "/contact-us"))


@dataclass(frozen=True)
class Point:
    """One thing worth saying, with a few words above it."""

    slug: str
    icon: str
    title: str
    text: str


@dataclass(frozen=True)
class Step:
    """One step of a numbered list."""

    id: int
    slug: str
    title: str
    text: str


@dataclass(frozen=True)
class Section(Generic[Item]):
    """A heading, a sentence below it, and what the section lists."""

    heading: str
    lead: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Invitation:
    """The closing words of a page: what to do next."""

    heading: str
    text: str
    actions: tuple[Action, ...]

"""The site as the office asks it: whether drafts can become pages, what they look like, and which texts stand on its pages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Choice = tuple[str, str]  # its name in the file, and its words


@dataclass(frozen=True)
class DraftFiles:
    """The files of a publication: its texts by language, each as the file would be, and the size of each picture, in pixels."""

    kind: str
    slug: str
    texts: Mapping[str, str]
    pictures: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Mistake:
    """Why a draft cannot become a page, in a sentence. `field` is a field of the front matter, or "" for the text; `line` is of the file."""

    language: str
    field: str
    line: int
    sentence: str


@dataclass(frozen=True)
class Look:
    """The look of a preview. `address` is where the office serves a picture of a draft, with {name} in it."""

    language: str
    is_dark: bool
    address: str


@dataclass(frozen=True)
class PageTexts:
    """A page that is there in a language, with the English of all texts on it that have a translation or need one."""

    path: str
    title: str
    texts: frozenset[str]


class ContentSite(Protocol):
    """The site, as the office sees it. `published` are the paths of all pages that publications have."""

    def choices(self) -> Mapping[str, Sequence[Choice]]:
        """Returns the names that fields may hold, such as the authors, by the field's name."""
        ...

    def mistakes(self, draft: DraftFiles, published: Collection[str]) -> Sequence[Mistake]: ...

    def preview(self, draft: DraftFiles, look: Look) -> str:
        """Returns the page as HTML, as good as the draft allows."""
        ...

    def pages(self, language: str) -> Sequence[PageTexts]:
        """Returns the pages that are translated into that language, in the order of the site."""
        ...

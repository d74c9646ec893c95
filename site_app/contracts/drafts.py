"""The interface through which the office uses the site: checks of drafts, their previews, and the texts on each page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

Choice = tuple[str, str]  # the name in the file, and the label


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
class PreviewOptions:
    """The language and theme of a preview. `picture_url` is the URL of a draft's picture in the office, with {name} in it."""

    language: str
    is_dark: bool
    picture_url: str


@dataclass(frozen=True)
class PageTexts:
    """A page that exists in a language, with the English of each text on it that has a translation or needs one."""

    path: str
    title: str
    texts: frozenset[str]


class ContentSite(Protocol):
    """The site, as the office sees it. `published` are the paths of the pages of all publications."""

    def choices(self) -> Mapping[str, Sequence[Choice]]:
        """Returns the names that fields may hold, such as the authors, by the field's name."""
        ...

    def mistakes(self, draft: DraftFiles, published: Collection[str]) -> Sequence[Mistake]: ...

    def preview(self, draft: DraftFiles, options: PreviewOptions) -> str:
        """Returns the page as HTML, with as much of it as the draft allows."""
        ...

    def pages(self, language: str) -> Sequence[PageTexts]:
        """Returns the pages that are translated into that language, in the order of the site."""
        ...

"""The shape of a page that is read from top to bottom; `make new-page` writes one."""

from dataclasses import dataclass

from components.words import Invitation


@dataclass(frozen=True)
class Part:
    """A heading and what stands below it; `anchor` is the address of the part on its page.

    `paragraphs` and `points`, a list, are plain text. `markdown` has links, **bold**, *italic*, lists, tables, ### headings and pictures:
    `![What it shows](/images/office.webp)` shows the file assets/images/office.webp.
    """

    anchor: str
    heading: str
    paragraphs: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    markdown: str = ""


@dataclass(frozen=True)
class Article:
    headline: str
    lead: str
    contents: str
    parts: tuple[Part, ...]
    invitation: Invitation

"""The shape of a page that is read from top to bottom; `make new-page` writes one."""

from dataclasses import dataclass

from site_app.content.records import Invitation


@dataclass(frozen=True)
class Part:
    """A heading with its paragraphs, and what it lists; `anchor` is the address of the part on its page."""

    anchor: str
    heading: str
    paragraphs: tuple[str, ...]
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Article:
    claim: str
    lead: str
    contents: str
    parts: tuple[Part, ...]
    invitation: Invitation

"""Records that several pages share: links and buttons with localized URLs, pages of text, the calls to action."""

from dataclasses import dataclass, field
from typing import Literal

from components import records
from components.records import Budgets, Comparison, Figure, Invitation
from site_app.core.i18n import href, in_english, t

PLAIN_BOOKING = "/book"  # booking without JavaScript: see serving/plain_booking.py
Dialog = Literal["quote", "contact", "consultation"]


@dataclass(frozen=True)
class PageLink(records.Link):
    """A link; `href` is given as the path without a language. Links to legal texts say that these are in English only."""

    def __post_init__(self) -> None:
        if self.href.startswith("/legals/"):
            object.__setattr__(self, "text", in_english(self.text))
        object.__setattr__(self, "href", href(self.href))


@dataclass(frozen=True)
class DialogAction(records.Action):
    """A button that opens one of the site's dialogs."""

    dialog: Dialog
    href: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "href", href(PLAIN_BOOKING if self.dialog == "consultation" else "/contact-us"))


@dataclass(frozen=True)
class Part:
    """A heading and the content below it; `anchor` is its anchor on the page.

    `paragraphs` and `points`, a list, are plain text. `markdown` has links, **bold**, *italic*, lists, tables, ### headings and pictures:
    `![What it shows](/images/office.webp)` shows the file assets/images/office.webp.
    """

    anchor: str
    heading: str
    paragraphs: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    markdown: str = ""


@dataclass(frozen=True)
class TextPage:
    """A page of text in parts. `contents` is the title of a table of contents beside its parts; without it each part is a section of its own."""

    headline: str
    intro: str
    parts: tuple[Part, ...]
    invitation: Invitation
    contents: str | None = None
    figures: tuple[Figure, ...] = ()  # in a line above the parts
    budgets: Budgets | None = None  # above the parts, in the page's whole width
    comparison: Comparison | None = None  # below the parts, likewise
    actions: tuple[DialogAction, ...] = ()  # in the page's head


def get_quote() -> DialogAction:
    return DialogAction(t("Get a free quote"), "quote")


def book_call() -> DialogAction:
    return DialogAction(t("Book a free call"), "consultation")


def write_to_us() -> DialogAction:
    return DialogAction(t("Send us a message"), "contact")

"""Links and buttons of the site, whose addresses are in the language being written."""

from dataclasses import dataclass, field
from typing import Literal

from components import words
from site_app.core.i18n import href, in_english
from site_app.core.routes import PLAIN_BOOKING

Dialog = Literal["quote", "contact", "consultation"]


@dataclass(frozen=True)
class Link(words.Link):
    """`href` is given as the spec's plain path. A legal text is in English only, which its link says."""

    def __post_init__(self) -> None:
        if self.href.startswith("/legals/"):
            object.__setattr__(self, "text", in_english(self.text))
        object.__setattr__(self, "href", href(self.href))


@dataclass(frozen=True)
class Action(words.Action):
    """A button for one of the site's dialogs."""

    dialog: Dialog
    href: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "href", href(PLAIN_BOOKING if self.dialog == "consultation" else "/contact-us"))

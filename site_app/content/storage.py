"""What the site keeps in a visitor's browser: the inventory that the cookies policy prints and a browser test checks."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

Kind = Literal["cookie", "localStorage", "sessionStorage"]


@dataclass(frozen=True)
class StoredItem:
    """One thing kept; `name` may end in * for a family. Its words are English, like all of the legal text."""

    name: str
    kind: Kind
    purpose: str
    lifetime: str


INVENTORY = (
    StoredItem(
        "lang",
        "cookie",
        "Remembers the language you chose. Set only when you choose one, cleared when you choose English.",
        "Until you close the browser",
    ),
    StoredItem("theme", "localStorage", "Remembers whether you chose the light or the dark theme.", "Until you delete it"),
    StoredItem(
        "draft:*",
        "sessionStorage",
        "Keeps what you have typed into a form, so that a closed window or a lost connection does not cost you the text.",
        "Until you send or clear the form, or close the tab",
    ),
    StoredItem(
        "token",
        "sessionStorage",
        "A random number that tells our server which open tab it is answering. It says nothing about you.",
        "Until you close the tab",
    ),
    StoredItem(
        "scroll:*",
        "sessionStorage",
        "Remembers how far you had read, so that Back and Forward bring you to the same place.",
        "Until you close the tab",
    ),
    StoredItem(
        "open:*",
        "sessionStorage",
        "Remembers which window or answer you opened or closed last, so that reloading the page does not reopen what you closed.",
        "Until you close the tab",
    ),
    StoredItem(
        "offer:refused",
        "sessionStorage",
        "Remembers that you did not want this site in your browser’s language, so that you are asked only once.",
        "Until you close the tab",
    ),
    StoredItem(
        "reloaded:*",
        "sessionStorage",
        "Notes that a page did not load completely, so that it is reloaded once and not over and over.",
        "Until the page loads, or you close the tab",
    ),
    StoredItem(
        "reflex_last_reloaded_on_error",
        "sessionStorage",
        "Notes when the page was last reloaded because this website had changed while you were reading it.",
        "Until you close the tab",
    ),
)


def stored_item(kind: Kind, name: str) -> StoredItem | None:
    """The entry that covers something found in a browser, or None if there is none."""
    return next((item for item in INVENTORY if item.kind == kind and fnmatchcase(name, item.name)), None)

"""People of the agency: their roles, and which areas of the office these may read or change."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from site_app.core.settings import Settings
from site_app.core.settings.rules import EDITOR, OWNER, READER


@dataclass(frozen=True)
class Member:
    """A member of the agency: owners change everything, editors the site's texts and nothing else, readers see all and change nothing."""

    address: str
    role: str

    @property
    def is_owner(self) -> bool:
        return self.role == OWNER

    @property
    def writes(self) -> bool:
        """True for those who may write and publish texts."""
        return may_change(self, "texts")

    @property
    def sees_leads(self) -> bool:
        return may_read(self, "leads")


# Areas of the office: "leads" are also meetings, partners, figures, mails, state and log; "own sessions" shows owners those of everybody.
Area = Literal["leads", "texts", "own sessions"]
_READERS: Mapping[Area, Collection[str]] = {
    "leads": (OWNER, READER),
    "texts": (OWNER, EDITOR, READER),
    "own sessions": (OWNER, EDITOR, READER),
}
_EDITORS_OF_AREA: Mapping[Area, Collection[str]] = {
    "leads": (OWNER,),
    "texts": (OWNER, EDITOR),
    "own sessions": (OWNER, EDITOR, READER),
}


def may_read(person: Member, area: Area) -> bool:
    return person.role in _READERS[area]


def may_change(person: Member, area: Area) -> bool:
    return person.role in _EDITORS_OF_AREA[area]


def person_of(address: str, settings: Settings) -> Member | None:
    """Returns the person with this address in SITE_OFFICE, ignoring case, or None."""
    roles = dict(entry.rsplit(":", 1) for entry in settings.office)
    address = address.strip().lower()
    return Member(address, roles[address]) if address in roles else None

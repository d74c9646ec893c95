"""What a mail says, in one language, before it becomes a message."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Fields = Mapping[str, Any]  # the payload of a row: what a lead or meeting says


@dataclass(frozen=True)
class Fact:
    """A labelled value; it may have several lines, or be an address of ours that can be opened."""

    label: str
    value: str
    opens: bool = False


@dataclass(frozen=True)
class Link:
    label: str
    url: str


@dataclass(frozen=True)
class Person:
    name: str
    email: str


@dataclass(frozen=True)
class Calendar:
    """An .ics file as it is attached; `method` is the one it names inside."""

    content: bytes
    method: str


@dataclass(frozen=True)
class MailText:
    """What a mail says, from top to bottom; whatever is empty leaves no gap."""

    subject: str
    heading: str
    opening: tuple[str, ...]  # the first is also what a list of mails shows beside the subject
    greeting: str = ""
    facts: tuple[Fact, ...] = ()
    facts_title: str = ""
    action: Link | None = None
    steps: tuple[str, ...] = ()
    steps_title: str = ""
    closing: tuple[str, ...] = ()
    reply_to: Person | None = None  # None: the agency
    answers: bool = False  # whether it answers something the reader sent
    calendar: Calendar | None = None

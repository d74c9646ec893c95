"""What the provider refuses, beyond what a contract can check, and the reply to each refusal.

ProviderRefusal
 ├── FieldRefused   something about a field that only the provider knows
 ├── KeyReused      an old key with new words
 ├── FileRefused    a file that is too large, of a kind that is not accepted, or not what its name says
 ├── NoRoomForFiles there is no room for a file; a lead without files is still kept
 ├── EntryNotFound       nothing there by that name, or not any more
 └── those of booking, in booking/rules.py
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from pydantic import BaseModel

from site_app.contracts.problems import problem
from site_app.core.i18n import t


@dataclass(frozen=True)
class RefusalReply:
    """The reply's status, code and texts in the visitor's language; `results` are what can be had instead."""

    status: int
    code: str
    message: str
    fields: Mapping[str, str] = field(default_factory=dict)
    retry_after: int = 0  # seconds
    results: Sequence[BaseModel] | None = None


class ProviderRefusal(Exception):
    """Nothing was stored. A subclass that a caller of the API can meet says its own reply."""

    def reply(self) -> RefusalReply:
        raise self


class FieldRefused(ProviderRefusal):
    """`kind` names the message, as a contract's own errors do."""

    def __init__(self, field: str, kind: str) -> None:
        super().__init__(field, kind)
        self.field, self.kind = field, kind

    def reply(self) -> RefusalReply:
        return RefusalReply(422, "invalid", check_fields_message(), {self.field: problem(self.kind, self.field)})


class KeyReused(ProviderRefusal):
    """The key came before with other words; that is the caller's mistake and must not be answered as a success."""

    def reply(self) -> RefusalReply:
        message = t("This key has already been used for something else. Please use a new key.")
        return RefusalReply(422, "key_reused", message, {"key": "key"})


class FileRefused(ProviderRefusal):
    """`kind` names the message, as a contract's own errors do; `too_large` tells a size from all else."""

    def __init__(self, kind: str, *, too_large: bool = False) -> None:
        super().__init__(kind)
        self.kind, self.too_large = kind, too_large

    def reply(self) -> RefusalReply:
        message = problem(self.kind, "file")
        return RefusalReply(413 if self.too_large else 415, "file_refused", message, {"file": message})


class NoRoomForFiles(ProviderRefusal):
    """`for_network` where the sender's network has used up its day, else the disk or the quota of all is full."""

    def __init__(self, retry_after: timedelta, *, for_network: bool = False) -> None:
        super().__init__()
        self.retry_after, self.for_network = retry_after, for_network

    def reply(self) -> RefusalReply:
        message = problem("no_room_for_files", "file")
        seconds = math.ceil(self.retry_after.total_seconds())
        return RefusalReply(429 if self.for_network else 503, "no_room", message, {"file": message}, seconds)


class EntryNotFound(ProviderRefusal):
    def reply(self) -> RefusalReply:
        return RefusalReply(404, "not_found", t("There is nothing at this address"))


def check_fields_message() -> str:
    return t("Please check the marked fields")

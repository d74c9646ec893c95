"""The provider's refusals beyond the checks of the contracts, and the reply to each.

ProviderRefusal
 ├── FieldRefused    a field failed a check that only the provider can make
 ├── KeyReused       an idempotency key was used again with other content
 ├── FileRefused     a file is too large, of a kind that is not accepted, or does not match its name
 ├── NoRoomForFiles  there is no room for a file; a lead without files is still stored
 ├── EntryNotFound   the entry does not exist, or not any more
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
    """The reply's status, code and texts in the visitor's language. `results` are alternatives, such as free slots."""

    status: int
    code: str
    message: str
    fields: Mapping[str, str] = field(default_factory=dict)
    retry_after: int = 0  # seconds
    results: Sequence[BaseModel] | None = None


class ProviderRefusal(Exception):
    """The request was refused and nothing was stored. A subclass that API callers can cause returns its reply."""

    def reply(self) -> RefusalReply:
        raise self


class FieldRefused(ProviderRefusal):
    """`kind` names the message, as in the errors of contracts."""

    def __init__(self, field: str, kind: str) -> None:
        super().__init__(field, kind)
        self.field, self.kind = field, kind

    def reply(self) -> RefusalReply:
        return RefusalReply(422, "invalid", check_fields_message(), {self.field: problem(self.kind, self.field)})


class KeyReused(ProviderRefusal):
    """The key was used before with other content. That is the caller's mistake and must not be answered as a success."""

    def reply(self) -> RefusalReply:
        message = t("This key has already been used for something else. Please use a new key.")
        return RefusalReply(422, "key_reused", message, {"key": "key"})


class FileRefused(ProviderRefusal):
    """`kind` names the message, as in the errors of contracts. `too_large` marks refusals because of the size (413)."""

    def __init__(self, kind: str, *, too_large: bool = False) -> None:
        super().__init__(kind)
        self.kind, self.too_large = kind, too_large

    def reply(self) -> RefusalReply:
        message = problem(self.kind, "file")
        return RefusalReply(413 if self.too_large else 415, "file_refused", message, {"file": message})


class NoRoomForFiles(ProviderRefusal):
    """`for_network` is True if the sender's network has used up its quota of the day, False if the disk or the total quota is full."""

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

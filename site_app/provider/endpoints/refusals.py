"""What the provider refuses, beyond what a contract can check.

Refusal
 ├── FieldRefused   something about a field that only the provider knows
 ├── KeyReused      an old key with new words
 ├── FileRefused    a file that is too large, of a kind that is not accepted, or not what its name says
 ├── NoRoomForFiles there is no room for a file; a lead without files is still kept
 └── NotFound       nothing there by that name, or not any more
"""

from datetime import timedelta


class Refusal(Exception):
    """Nothing was kept."""


class FieldRefused(Refusal):
    """`kind` names the message, as a contract's own faults do."""

    def __init__(self, field: str, kind: str) -> None:
        super().__init__(field, kind)
        self.field, self.kind = field, kind


class KeyReused(Refusal):
    """The key came before with other words; that is the caller's mistake and must not be answered as a success."""


class FileRefused(Refusal):
    """`kind` names the message, as a contract's own faults do; `too_large` tells a size from all else."""

    def __init__(self, kind: str, *, too_large: bool = False) -> None:
        super().__init__(kind)
        self.kind, self.too_large = kind, too_large


class NoRoomForFiles(Refusal):
    """`for_network` where the sender's network has used up its day, else the disk or the quota of all is full."""

    def __init__(self, retry_after: timedelta, *, for_network: bool = False) -> None:
        super().__init__()
        self.retry_after, self.for_network = retry_after, for_network


class NotFound(Refusal):
    pass

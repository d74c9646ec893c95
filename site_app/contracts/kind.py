"""A lead kind: the record of everything that one kind of lead has of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from site_app.contracts.labels import label
from site_app.contracts.submission import Reachable, Submission

_FILES = "attachments"


@dataclass(frozen=True)
class SubmissionKind:
    """What a form sends: its name, the call of API v1.0 that takes it, its contract, and the labels of its own fields."""

    name: str
    call: str
    contract: type[Reachable]
    labels: Mapping[str, Callable[[], str]] = field(default_factory=dict, kw_only=True)

    def label(self, name: str) -> str:
        """What the field is called, in the language being written."""
        return self.labels[name]() if name in self.labels else label(name)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """What a form of this kind asks for, in the contract's order."""
        return tuple(name for name in self.contract.model_fields if name not in Submission.model_fields)


@dataclass(frozen=True)
class MailWords:
    """What the mails of one kind say: the subject of the team's; of the sender's its subject, first sentence and next steps."""

    team_subject: str
    subject: str
    opening: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class LeadKind(SubmissionKind):
    """`prefix` begins the references; `mails` is given a reference and the sender's name. `summary` is for the API's description."""

    prefix: str = field(kw_only=True)
    summary: str = field(kw_only=True)
    mails: Callable[[str, str], MailWords] = field(kw_only=True)

    @cached_property
    def own_fields(self) -> tuple[str, ...]:
        """What a lead of this kind says beyond what all leads say; files are kept apart."""
        return tuple(name for name in self.fields if name not in Reachable.model_fields and name != _FILES)

    @cached_property
    def takes_files(self) -> bool:
        return _FILES in self.contract.model_fields

"""A lead kind: the record of everything that is specific to one kind of lead."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from site_app.contracts.fields import label
from site_app.contracts.submission import ContactedSubmission, Submission

_FILES = "attachments"


@dataclass(frozen=True)
class SubmissionKind:
    """The kind of a form: its name, the API v1.0 call that takes it, its contract, and the labels of its own fields."""

    name: str
    call: str
    contract: type[ContactedSubmission]
    labels: Mapping[str, Callable[[], str]] = field(default_factory=dict, kw_only=True)

    def label(self, name: str) -> str:
        """Returns the field's label in the current language."""
        return self.labels[name]() if name in self.labels else label(name)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The visible fields of a form of this kind, in the contract's order."""
        return tuple(name for name in self.contract.model_fields if name not in Submission.model_fields)


@dataclass(frozen=True)
class MailWords:
    """The texts of one kind's mails: the subject for the team; subject, first sentence and next steps for the sender."""

    team_subject: str
    subject: str
    opening: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class LeadKind(SubmissionKind):
    """`prefix` begins the references; `mails` receives a reference and the sender's name; `summary` is shown in the API's documentation."""

    prefix: str = field(kw_only=True)
    summary: str = field(kw_only=True)
    mails: Callable[[str, str], MailWords] = field(kw_only=True)

    @cached_property
    def own_fields(self) -> tuple[str, ...]:
        """The fields that only this kind has, without files, which are stored separately."""
        return tuple(name for name in self.fields if name not in ContactedSubmission.model_fields and name != _FILES)

    @cached_property
    def takes_files(self) -> bool:
        return _FILES in self.contract.model_fields

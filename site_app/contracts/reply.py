"""Replies of the API: the base of all, that to a submission, and the common format of every refusal."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Reply(BaseModel):
    """A reply of the provider; readers ignore unknown fields and use defaults for missing ones."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)


class Accepted(Reply):
    """A submission that is stored, by this call or by an earlier one with the same key."""

    ok: bool = True
    reference: Annotated[str, Field(examples=["Q-7F3K-29"])]
    quarantined: Annotated[bool, Field(description="True if the submission waits for a confirmation or a review")] = False
    mailed: Annotated[
        bool, Field(description="False if the sender gets no mail, because the mailbox has received its mails of the day")
    ] = True


class Done(Reply):
    ok: bool = True


class Refusal(Reply):
    code: str
    message: str
    fields: dict[str, str] = Field(default_factory=dict)


class Refused(Reply):
    """The reply to every call that did not succeed."""

    error: Refusal


class FormToken(Reply):
    """A token for a form. Only a provider that returns `attribution` as true is sent where a visitor came from."""

    token: str
    attribution: Annotated[bool, Field(description="True if submissions may include `attribution`")] = False

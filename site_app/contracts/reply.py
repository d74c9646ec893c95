"""Replies of the API: to a submission, to an upload, and the common format of every refusal."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from site_app.core.business import LARGEST_FILE_MEGABYTES


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


MOST_FILES = 5
MAX_FILE_BYTES = LARGEST_FILE_MEGABYTES * 1024 * 1024
EXTENSIONS = ("pdf", "docx", "xlsx", "pptx", "txt", "md", "png", "jpg", "jpeg", "webp", "zip")


class Attached(Reply):
    """A file that is stored for some hours, until a quote request names its id."""

    ok: bool = True
    id: str
    name: str
    size: int
    kind: str


class FileRules(Reply):
    """The rules for files uploaded before a submission. If a provider lacks this call, it takes no files and the form offers none."""

    most: int = MOST_FILES
    largest: Annotated[int, Field(description="Largest size of a file in bytes")] = MAX_FILE_BYTES
    extensions: tuple[str, ...] = EXTENSIONS

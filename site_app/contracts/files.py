"""The files that a form may send ahead: their rules, and the replies of the API to them."""

from typing import Annotated

from pydantic import Field

from site_app.contracts.reply import Reply
from site_app.core.business import LARGEST_FILE_MEGABYTES

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

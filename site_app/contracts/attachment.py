"""attachments: files sent ahead of the quote request that names them."""

from typing import Annotated

from pydantic import Field

from site_app.contracts.answer import Answer
from site_app.core.business import LARGEST_FILE_MEGABYTES

MOST_FILES = 5
LARGEST = LARGEST_FILE_MEGABYTES * 1024 * 1024  # bytes
EXTENSIONS = ("pdf", "docx", "xlsx", "pptx", "txt", "md", "png", "jpg", "jpeg", "webp", "zip")


class Attached(Answer):
    """A file that is kept for some hours, until a quote request names its id."""

    ok: bool = True
    id: str
    name: str
    size: int
    kind: str


class FileRules(Answer):
    """Which files may be sent ahead. A provider without this answer takes none, and a form then asks for none."""

    most: int = MOST_FILES
    largest: Annotated[int, Field(description="Bytes of one file")] = LARGEST
    extensions: tuple[str, ...] = EXTENSIONS

"""sendMessage: a visitor's message."""

from typing import Annotated

from pydantic import Field

from site_app.contracts.submission import FullName, Reachable
from site_app.contracts.text import ManyLines, OneLine


class Message(Reachable):
    full_name: FullName
    subject: Annotated[OneLine, Field(min_length=3, max_length=150)]
    message: Annotated[ManyLines, Field(min_length=10, max_length=5000)]

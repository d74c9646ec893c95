"""What the states ask of the provider."""

from collections.abc import Sequence
from typing import Any, Protocol

from site_app import provider


class Record(Protocol):
    """A row of an answer of API v1.0."""

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...


class Door(Protocol):
    """The calls the states make; each raises ProviderError where no answer comes."""

    async def countries(self, language: str) -> Sequence[Record]: ...
    async def currencies(self, language: str) -> Sequence[Record]: ...
    async def meeting_slots(self) -> Sequence[Record]: ...


def door() -> Door:
    """The provider, as the settings connect it."""
    return provider.door()


def rows(records: Sequence[Record]) -> list[dict[str, Any]]:
    """The records as plain rows, as a state and a browser hold them."""
    return [record.model_dump(mode="json") for record in records]

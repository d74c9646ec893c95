"""What components ask of the words they are given; the site's own records fit without knowing these."""

from collections.abc import Sequence
from typing import Protocol


class PointWords(Protocol):
    """One thing worth saying."""

    @property
    def icon(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...


class StepWords(Protocol):
    """One step of a numbered list."""

    @property
    def id(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...


class LinkWords(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def href(self) -> str: ...


class ActionWords(Protocol):
    """A button that opens a dialog; `href` is the page that does without scripts what the dialog does."""

    @property
    def text(self) -> str: ...
    @property
    def dialog(self) -> str: ...
    @property
    def href(self) -> str: ...


class OfferWords(Protocol):
    """A service in one line."""

    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def line(self) -> str: ...
    @property
    def href(self) -> str: ...


class OfferGroupWords(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def offers(self) -> Sequence[OfferWords]: ...


class VoiceWords(Protocol):
    """What a client said; `id` chooses the drawn avatar."""

    @property
    def id(self) -> int: ...
    @property
    def description(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def is_sample(self) -> bool: ...


class NamedWords(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...


class RowWords(Protocol):
    """A row of a comparison: what is compared, and one value per column."""

    @property
    def label(self) -> str: ...
    @property
    def values(self) -> Sequence[str]: ...


class WayWords(Protocol):
    """A way to reach the agency: its lines, and where a tap on them leads."""

    @property
    def icon(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def values(self) -> Sequence[str]: ...
    @property
    def href(self) -> str: ...

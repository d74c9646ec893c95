"""A cache of limited size whose entries expire, each after its own time."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class ExpiringCache(Generic[V]):
    """Keeps the `size` entries that were stored last. `clock` counts seconds, as time.monotonic does."""

    def __init__(self, size: int, clock: Callable[[], float]) -> None:
        self._size = size
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, V]] = OrderedDict()

    def get(self, key: str) -> V | None:
        """Returns the value that was stored under this key, or None if there is none or it has expired."""
        entry = self._entries.get(key)
        return entry[1] if entry and entry[0] > self._clock() else None

    def put(self, key: str, value: V, seconds: float) -> None:
        self._entries[key] = (self._clock() + seconds, value)
        self._entries.move_to_end(key)
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)

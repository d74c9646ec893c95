"""Visitors who have left: what they had open is kept a while for their return, but of the latest few thousand only."""

from collections import Counter
from collections.abc import Callable

MOST = 2500  # states of 20 kB each


class Departed:
    """By their tokens, in the order in which they left; `forget` is told of the first when there are too many."""

    def __init__(self, forget: Callable[[str], object], most: int = MOST) -> None:
        self._forget, self._most = forget, most
        self._here: Counter[str] = Counter()
        self._gone: dict[str, None] = {}

    def comes(self, token: str) -> None:
        self._gone.pop(token, None)
        self._here[token] += 1

    def leaves(self, token: str) -> None:
        """One socket of that token is closed; its visitor has left when it was the last."""
        self._here[token] -= 1
        if self._here[token]:
            return
        del self._here[token]
        self._gone[token] = None
        if len(self._gone) > self._most:
            first = next(iter(self._gone))
            del self._gone[first]
            self._forget(first)

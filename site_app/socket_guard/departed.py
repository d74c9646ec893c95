"""Visitors who have left: what they had open is kept a while for their return, but of the latest only."""

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

MOST = 1000  # states of 20 kB each
MOST_READERS = 200  # who only read has nothing to come back to; this many, for his last events may still run
_LOOK_EVERY = 256  # departures


class States(Protocol):
    """Where what visitors have open is kept, by their tokens."""

    def idle(self) -> Iterable[str]:
        """The tokens that no socket uses now."""
        ...

    def forget(self, token: str) -> None:
        """Let go of what is kept for a token, unless one of its events is being handled."""
        ...


class Departed:
    """By their tokens, in the order in which they left; the first are forgotten when there are too many."""

    def __init__(self, states: States, *, most: int = MOST, readers: int = MOST_READERS, look_every: int = _LOOK_EVERY) -> None:
        self._states, self._most, self._most_readers, self._look_every = states, most, readers, look_every
        self._here: Counter[str] = Counter()
        self._acted: set[str] = set()  # of those who are here
        self._gone: dict[str, None] = {}
        self._readers: dict[str, None] = {}
        self._departures = 0

    def comes(self, token: str) -> None:
        self._here[token] += 1
        self._readers.pop(token, None)
        if token in self._gone:
            del self._gone[token]
            self._acted.add(token)

    def leaves(self, token: str, *, acted: bool) -> None:
        """One socket of that token is closed; its visitor has left when it was the last. `acted` if it sent more than reading takes."""
        self._here[token] -= 1
        if acted:
            self._acted.add(token)
        if self._here[token]:
            return
        del self._here[token]
        if token in self._acted:
            self._acted.remove(token)
            self._gone[token] = None
        else:
            self._readers[token] = None
        self._departures += 1
        if self._departures % self._look_every == 0:
            self._take_in_strays()
        self._trim(self._gone, self._most)
        self._trim(self._readers, self._most_readers)

    def _take_in_strays(self) -> None:
        """Count in the states that no departure tells of: made again by an event that ended late, or under a token that Reflex gave."""
        known = self._here.keys() | self._gone.keys() | self._readers.keys()
        self._readers |= dict.fromkeys(token for token in self._states.idle() if token not in known)

    def _trim(self, gone: dict[str, None], most: int) -> None:
        while len(gone) > most:
            first = next(iter(gone))
            del gone[first]
            self._states.forget(first)

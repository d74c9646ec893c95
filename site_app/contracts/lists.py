"""Rules of lists."""

from typing import TypeVar

from pydantic_core import PydanticCustomError

T = TypeVar("T")


def distinct(items: list[T]) -> list[T]:
    """The list itself, if nothing stands in it twice."""
    if len(set(items)) != len(items):
        raise PydanticCustomError("twice", "The same thing twice")
    return items

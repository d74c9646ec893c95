"""A page with more sections below it."""

from collections.abc import Callable

import reflex as rx

Section = Callable[[], rx.Component]


def followed_by(page: Section, *sections: Section) -> Section:
    """The page, and below it sections of its own, such as a form."""
    return lambda: rx.fragment(page(), *(section() for section in sections))

"""Adds sections below a page."""

from collections.abc import Callable

import reflex as rx

Section = Callable[[], rx.Component]


def followed_by(page: Section, *sections: Section) -> Section:
    """Returns the page with further sections below it, such as a form."""
    return lambda: rx.fragment(page(), *(section() for section in sections))

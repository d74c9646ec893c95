"""Content that loads when it is needed."""

from collections.abc import Callable
from typing import Any

import reflex as rx


class LazyContent(rx.Component):
    """Loads its content with `load`. Its two children are the skeleton, and the message if loading fails, with a button to retry."""

    library = "$/components/browser/lazy_content"
    tag = "LazyContent"
    load: rx.Var[Any]


def fetched(memo: Callable[..., rx.Component]) -> rx.Var:
    """Returns a browser function that loads an @rx.memo without arguments; nothing else loads its chunk."""
    sample = memo()
    return rx.Var(f"(() => import({sample.library!r}).then((module) => module.{sample.tag}))")

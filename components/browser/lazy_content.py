"""A part whose code is fetched when the dialog around it first opens."""

from collections.abc import Callable
from typing import Any

import reflex as rx


class LazyContent(rx.Component):
    """Its two children are a skeleton, shown until `load` has come, and what is shown if it fails, with a button to try again."""

    library = "$/components/browser/lazy_content"
    tag = "LazyContent"
    load: rx.Var[Any]


def fetched(memo: Callable[..., rx.Component]) -> rx.Var:
    """A function of the browser that fetches an @rx.memo without arguments; nothing else loads its chunk."""
    sample = memo()
    return rx.Var(f"(() => import({sample.library!r}).then((module) => module.{sample.tag}))")

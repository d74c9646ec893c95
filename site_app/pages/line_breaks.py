"""Lines of a page do not end between a number and its noun."""

from collections.abc import Callable
from functools import wraps

import reflex as rx
from reflex_base.components.component import BaseComponent
from reflex_components_core.base.bare import Bare

from site_app.core.i18n.markdown import unbroken_numbers


def with_unbroken_numbers(build: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """Returns the page with a space that does not break in each “6 weeks” of its texts."""

    @wraps(build)
    def page() -> rx.Component:
        built = build()
        join_numbers(built)
        return built

    return page


def join_numbers(component: BaseComponent) -> None:
    """Changes the texts of the component and of all below it."""
    for position, child in enumerate(component.children):
        text = getattr(child.contents, "_var_value", None) if isinstance(child, Bare) else None
        if not isinstance(text, str):
            join_numbers(child)
        elif (joined := unbroken_numbers(text)) != text:
            component.children[position] = Bare.create(joined)

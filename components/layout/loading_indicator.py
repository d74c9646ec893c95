"""The bar that tells that a page is loading."""

import reflex as rx


def loading_indicator() -> rx.Component:
    """Shown while the element after it has aria-busy, and while the code of the next page is loading, if that takes longer than a moment."""
    return rx.el.div(aria_hidden="true", class_name="progress", custom_attrs={"data-closed": ""})

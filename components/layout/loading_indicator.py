"""The bar at the top of a page while something loads."""

import reflex as rx


def loading_indicator() -> rx.Component:
    """Shown while the element after it has aria-busy, or the code of the next page takes longer than a moment to load."""
    return rx.el.div(aria_hidden="true", class_name="progress", custom_attrs={"data-closed": ""})

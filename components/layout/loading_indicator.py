"""The full-page loading indicator: a thin line at the top edge that neither hides nor blocks the page."""

import reflex as rx


def loading_indicator() -> rx.Component:
    """It runs while what follows it says that it is busy, as screen readers hear it, and while the code of the next page is awaited."""
    return rx.el.div(aria_hidden="true", class_name="progress")

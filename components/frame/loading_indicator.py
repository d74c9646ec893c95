"""The full-page loading indicator: a thin line at the top edge that neither hides nor blocks the page."""

import reflex as rx


def loading_indicator(loading: rx.Var[bool] | bool) -> rx.Component:
    """Also runs while the code of the next page is awaited; for screen readers the page itself says that it is busy."""
    return rx.el.div(
        aria_hidden="true",
        class_name=rx.cond(loading, "progress progress-on", "progress"),
    )

"""The full-page loading indicator: a thin line at the top edge that neither hides nor blocks the page."""

import reflex as rx


def loading_indicator(loading: rx.Var[bool], *, label: rx.Var[str]) -> rx.Component:
    """Also runs while the code of the next page is awaited."""
    return rx.el.div(
        role="progressbar",
        aria_label=label,
        class_name=rx.cond(loading, "progress progress-on", "progress"),
    )

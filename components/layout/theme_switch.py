"""The switch between the light and the dark theme; the browser remembers it."""

import reflex as rx

from components.art.icon import icon


def theme_switch(*, to_dark: str, to_light: str, class_name: str = "") -> rx.Component:
    """Plain script answers it (components/browser/reading/theme.js); the style shows what fits the theme."""
    return rx.el.button(
        rx.el.span(icon("moon-waning-crescent"), rx.el.span(to_dark, class_name="sr-only"), class_name="dark:hidden"),
        rx.el.span(icon("white-balance-sunny"), rx.el.span(to_light, class_name="sr-only"), class_name="hidden dark:block"),
        type="button",
        class_name=f"icon-button {class_name}".strip(),
        custom_attrs={"data-theme-switch": ""},
    )

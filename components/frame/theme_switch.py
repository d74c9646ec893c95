"""The switch between the light and the dark theme; the browser remembers it."""

import reflex as rx

from components.art.icon import icon


def theme_switch(*, to_dark: str, to_light: str, class_name: str = "") -> rx.Component:
    return rx.el.button(
        rx.el.span(icon("moon-waning-crescent"), class_name="dark:hidden"),
        rx.el.span(icon("white-balance-sunny"), class_name="hidden dark:block"),
        type="button",
        aria_label=rx.color_mode_cond(light=to_dark, dark=to_light),
        on_click=rx.toggle_color_mode,
        class_name=f"icon-button {class_name}".strip(),
        custom_attrs={"data-needs-react": ""},
    )

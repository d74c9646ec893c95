"""A link that leads on, with an arrow behind it."""

import reflex as rx

from components.art.icon import icon


def onward(text: str, href: str, *, class_name: str = "") -> rx.Component:
    return rx.el.p(rx.el.elements.a(text, icon("arrow-right"), href=href, class_name="onward"), class_name=class_name)

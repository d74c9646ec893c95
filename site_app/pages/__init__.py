"""Which function builds which page."""

from collections.abc import Callable

import reflex as rx

from site_app.pages.home import home
from site_app.routes import ROUTES


def _tmp() -> rx.Component:
    return rx.fragment(
        rx.el.div(rx.el.h1("Page", class_name="text-4xl"), rx.el.div(id="brand-creation"), class_name="wrap band")
    )


PAGES: dict[str, Callable[[], rx.Component]] = {r.path: _tmp for r in ROUTES} | {
    "/": home,
}

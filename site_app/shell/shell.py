"""What surrounds every page, mounted once around the router's outlet: it survives navigation."""

import reflex as rx

from site_app.shell.frame import framed


@rx.memo
def shell(children: rx.Var[rx.Component]) -> rx.Component:
    return rx.el.div(framed(rx.fragment(children)))

"""Tells the page's script that React has taken over."""

import reflex as rx


class Hydrated(rx.Component):
    """Placed once around every page; presses that were held until React was there are then released."""

    library = "$/static_first/hydrated"
    tag = "Hydrated"

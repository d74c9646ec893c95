"""Tells the page's script that React has taken over."""

import reflex as rx


class Hydrated(rx.Component):
    """Placed once around every page; once React runs, releases the events held until then."""

    library = "$/static_first/hydrated"
    tag = "Hydrated"

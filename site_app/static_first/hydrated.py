"""Tells the script of the page that React is there."""

import reflex as rx


class Hydrated(rx.Component):
    """Stands once in what is around every page; what a visitor did before React was there goes on from then."""

    library = "$/static_first/hydrated"
    tag = "Hydrated"

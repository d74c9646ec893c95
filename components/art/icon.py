"""Icons by their Material Design name: only the paths that a page uses are shipped."""

import json
from functools import cache

import reflex as rx

from components.art.mdi import TABLE

# @mdi/js has no mark of the network X, so this one is drawn here, on the same 24 px square.
DRAWN = {"x": "M3.6 4h5l3.9 5.3L17.2 4h2.5l-6 6.9 6.7 9.1h-5l-4.3-5.9L5.9 20H3.3l6.7-7.6zM7.2 5.7l9.2 12.6h.9L8.1 5.7z"}


def icon(name: str, *, label: str = "", size: int = 24, class_name: str = "") -> rx.Component:
    """An icon the size of its text's line, silent for screen readers unless it is labelled; refuses an unknown name."""
    spoken = {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
    return rx.el.svg(
        rx.el.path(d=path_of(name)),
        view_box="0 0 24 24",
        width=str(size),
        height=str(size),
        class_name=f"a-icon {class_name}".strip(),
        custom_attrs=spoken,
    )


def path_of(name: str) -> str:
    """The path data of an icon, from the table copied from @mdi/js or drawn here."""
    return _paths()[name]


@cache
def _paths() -> dict[str, str]:
    return json.loads(TABLE.read_text())["paths"] | DRAWN

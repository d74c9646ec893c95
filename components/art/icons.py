"""Icons: Material Design icons by name, of which mdi.json has only the paths that pages use."""

import json
from functools import cache
from pathlib import Path

import reflex as rx

TABLE = Path(__file__).with_name("mdi.json")
# @mdi/js has no logo of the network X, so it is drawn here, in the same 24 px square.
OWN_ICONS = {"x": "M3.6 4h5l3.9 5.3L17.2 4h2.5l-6 6.9 6.7 9.1h-5l-4.3-5.9L5.9 20H3.3l6.7-7.6zM7.2 5.7l9.2 12.6h.9L8.1 5.7z"}


def icon(name: str, *, label: str = "", size: int = 24, class_name: str = "") -> rx.Component:
    """Returns an icon; screen readers skip it unless it has a label. Raises an error for an unknown name."""
    accessibility = {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
    return rx.el.svg(
        rx.el.path(d=path_of(name)),
        view_box="0 0 24 24",
        width=str(size),
        height=str(size),
        class_name=f"a-icon {class_name}".strip(),
        custom_attrs=accessibility,
    )


def path_of(name: str) -> str:
    """Returns the path data of an icon, from the table copied from @mdi/js or from OWN_ICONS."""
    if name not in _paths():
        raise KeyError(
            f"There is no icon {name} in components/art/{TABLE.name}: docs/guide/services.md says how to copy one there."
        )
    return _paths()[name]


@cache
def _paths() -> dict[str, str]:
    return json.loads(TABLE.read_text())["paths"] | OWN_ICONS

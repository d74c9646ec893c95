"""The attribute of what has the focus when a dialog or a drawer opens."""

from reflex.utils.exec import is_prod_mode


def first_focus() -> dict[str, str]:
    """As a custom attribute: React does not write the one it knows, autoFocus, in the browser, and in development complains of the other."""
    return {"autofocus": "true"} if is_prod_mode() else {"autoFocus": "true"}

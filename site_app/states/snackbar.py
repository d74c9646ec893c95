"""The short message at the foot of the page."""

from typing import Literal, TypedDict

import reflex as rx

Kind = Literal["success", "error", "warning", "info"]

TIMEOUT_MS = 6000


class SnackbarData(TypedDict):
    """What one message is; `timeout` in milliseconds, 0 to stay until it is dismissed."""

    type: Kind
    text: str
    timeout: int
    content: str
    show_action_button: bool
    action: str


class SnackbarState(rx.State):
    """The message shown last; `serial` tells the browser that a new one has come, even with the same words."""

    show: bool = False
    type: str = ""
    text: str = ""
    timeout: int = 0
    content: str = ""
    show_action_button: bool = False
    action: str = ""
    serial: int = 0

    @rx.event
    def dismiss(self, serial: int):
        """Called when a page shows the message, so that the next page does not show it again; a newer message stays."""
        if serial == self.serial:
            self.show = False


def success(text: str) -> SnackbarData:
    return SnackbarData(type="success", text=text, timeout=TIMEOUT_MS, content="", show_action_button=False, action="")


def error(text: str, *, action: str = "") -> SnackbarData:
    """Stays until it is dismissed; with an `action` it has a button "Try again".

    The button raises the window event "snackbar-action" with that name, for the part of the page that knows what to try.
    """
    return SnackbarData(type="error", text=text, timeout=0, content="", show_action_button=bool(action), action=action)


async def show_message(state: rx.State, message: SnackbarData) -> None:
    """Show a message from within a handler of any state."""
    snackbar = await state.get_state(SnackbarState)
    for name, value in message.items():
        setattr(snackbar, name, value)
    snackbar.show = True
    snackbar.serial += 1

"""The short message at the foot of the page."""

from typing import Literal

import reflex as rx

TIMEOUT_MS = {"success": 6000, "error": 0}


class SnackbarState(rx.State):
    """The message shown last; `serial` tells the browser that a new one has come, even with the same words.

    `type` is success or error; `timeout` is in milliseconds, 0 to stay until it is dismissed.
    """

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


async def show_message(state: rx.State, kind: Literal["success", "error"], text: str, *, action: str = "") -> None:
    """Show a message from within a handler of any state; an error stays. With an `action` it has a button "Try again".

    The button raises the window event "snackbar-action" with that name, for the part of the page that knows what to try.
    """
    snackbar = await state.get_state(SnackbarState)
    snackbar.type, snackbar.text, snackbar.timeout = kind, text, TIMEOUT_MS[kind]
    snackbar.action, snackbar.show_action_button = action, bool(action)
    snackbar.show = True
    snackbar.serial += 1

"""The short message at the foot of the page."""

from typing import Literal, TypedDict, cast

import reflex as rx

MessageType = Literal["success", "error", "warning", "info"]
TIMEOUT_MS = {"success": 6000, "info": 6000, "warning": 12000, "error": 0}  # 0 stays until it is dismissed


class SnackBarData(TypedDict):
    """The message: `text` is what happened, `content` what it means and what to do; `timeout` is in milliseconds."""

    show: bool
    type: MessageType
    text: str
    timeout: int
    content: str
    show_action_button: bool


class SnackbarState(rx.State):
    """The message shown last, empty before the first; `serial` tells the browser that a new one has come, even with the same words.

    A page binds an event, `on_click=SnackbarState.show("Copied")`, and a handler of another state returns it. `action` names the window
    event "snackbar-action", which the button of a message raises, for the part of the page that knows what to do.
    """

    snack_bar_data: rx.Field[SnackBarData] = rx.field(default_factory=lambda: cast(SnackBarData, {}))
    action: str = ""
    serial: int = 0

    @rx.event
    def show(self, text: str, type: MessageType = "success", timeout: int | None = None, content: str = "", action: str = ""):
        """Show a message; without a `timeout` it stays as long as its type does. With an `action` it has a button "Try again"."""
        self._take(text=text, type=type, timeout=timeout, content=content, action=action)
        self.serial += 1

    @rx.event
    def report(self, text: str, type: MessageType, timeout: int, content: str, has_action: bool):
        """Take over a message that the page itself has shown, as it does where there is no time to ask the server."""
        self._take(text=text, type=type, timeout=timeout, content=content, action="page" if has_action else "")

    @rx.event
    def dismiss(self, serial: int):
        """Called when a page shows the message, so that the next page does not show it again; a newer message stays."""
        if serial == self.serial:
            self.snack_bar_data = SnackBarData(**{**self.snack_bar_data, "show": False})

    def _take(self, *, text: str, type: MessageType, timeout: int | None, content: str, action: str):
        self.action = action
        self.snack_bar_data = SnackBarData(
            show=True,
            type=type,
            text=text,
            timeout=TIMEOUT_MS[type] if timeout is None else timeout,
            content=content,
            show_action_button=bool(action),
        )


async def show_message(state: rx.State, type: MessageType, text: str, *, content: str = "", action: str = "") -> None:
    """Show a message from within a background handler of any state, at once: SnackbarState.show waits until the handler has ended."""
    snackbar = await state.get_state(SnackbarState)
    snackbar._take(text=text, type=type, timeout=None, content=content, action=action)
    snackbar.serial += 1

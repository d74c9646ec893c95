"""The short message at the foot of the page."""

from typing import Literal, TypedDict, cast

import reflex as rx

MessageType = Literal["success", "error", "warning", "info"]
TIMEOUTS_MS = {"success": 6000, "info": 6000, "warning": 12000, "error": 0}  # in the pages, too; 0: until it is dismissed


class SnackBarData(TypedDict):
    """The message: `text` says what happened, `content` what it means and what to do; `timeout` is in milliseconds."""

    show: bool
    type: MessageType
    text: str
    timeout: int
    content: str
    show_action_button: bool


class SnackbarState(rx.State):
    """The latest message, empty before the first. A new `serial` tells the browser to show a message, even if its text is the same.

    A page binds an event, `on_click=SnackbarState.show("Copied")`; a handler of another state returns it. The button of a message
    dispatches the window event "snackbar-action" with `action` as its detail, for the part of the page that handles it.
    """

    snack_bar_data: rx.Field[SnackBarData] = rx.field(default_factory=lambda: cast(SnackBarData, {}))
    action: str = ""
    serial: int = 0

    @rx.event
    def show(self, text: str, type: MessageType = "success", timeout: int | None = None, content: str = "", action: str = ""):
        """Shows a message. Without a `timeout` the default of its type applies; with an `action` the message has a button "Try again"."""
        self._set_message(text=text, type=type, timeout=timeout, content=content, action=action)
        self.serial += 1

    @rx.event
    def report(self, text: str, type: MessageType, timeout: int, content: str, has_action: bool):
        """Stores a message that the page has already shown by itself, because it could not wait for the server."""
        self._set_message(text=text, type=type, timeout=timeout, content=content, action="page" if has_action else "")

    @rx.event
    def dismiss(self, serial: int):
        """Called when a page has shown the message: the next page does not show it again. A newer message stays."""
        if serial == self.serial:
            self.snack_bar_data = SnackBarData(**{**self.snack_bar_data, "show": False})

    def _set_message(self, *, text: str, type: MessageType, timeout: int | None, content: str, action: str):
        self.action = action
        self.snack_bar_data = SnackBarData(
            show=True,
            type=type,
            text=text,
            timeout=TIMEOUTS_MS[type] if timeout is None else timeout,
            content=content,
            show_action_button=bool(action),
        )


async def show_message(state: rx.State, type: MessageType, text: str, *, content: str = "", action: str = "") -> None:
    """Shows a message at once from a background handler of any state; SnackbarState.show would wait until the handler ends."""
    snackbar = await state.get_state(SnackbarState)
    snackbar._set_message(text=text, type=type, timeout=None, content=content, action=action)
    snackbar.serial += 1

"""The state of the open dialog."""

from typing import Literal, get_args

import reflex as rx

from site_app.content.records import Dialog

DIALOGS = get_args(Dialog)


class DialogState(rx.State):
    """One flag for each dialog; at most one is set. A handler that changes a flag opens or closes the dialog in the browser.

    The client asked for flags instead of one name (R22 in tests/spec/requirements.md). `open_dialog` is the name for our own components.

    A page binds an event, `on_click=DialogState.open("quote")`; a handler of another state returns it. When the visitor opens a dialog,
    the browser shows it at once and then reports it. `seq` is the number of the newest reported change: the browser ignores an update
    that answers an older one.
    """

    show_quote_dialog: bool = False
    show_contact_dialog: bool = False
    show_consultation_dialog: bool = False
    seq: int = 0

    @rx.var
    def open_dialog(self) -> str:
        """The name of the open dialog, or "" if none is open."""
        flags = (self.show_quote_dialog, self.show_contact_dialog, self.show_consultation_dialog)
        return next((name for name, is_open in zip(DIALOGS, flags, strict=True) if is_open), "")

    @rx.event
    def open(self, name: Dialog):
        """Opens a dialog and closes the open one."""
        self._set(name)

    @rx.event
    def close(self):
        """Closes the open dialog, if there is one."""
        self._set("")

    @rx.event
    def report(self, name: Literal["", Dialog], seq: int):
        """Stores the dialog that the visitor opened ("" if none is open), unless a newer report has arrived."""
        if seq >= self.seq:
            self.seq = seq
            self._set(name)

    def _set(self, name: str):
        self.show_quote_dialog = name == "quote"
        self.show_contact_dialog = name == "contact"
        self.show_consultation_dialog = name == "consultation"

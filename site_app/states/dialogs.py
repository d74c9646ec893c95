"""Which dialog is open."""

from typing import Literal

import reflex as rx

DIALOGS = ("quote", "contact", "consultation")


class DialogState(rx.State):
    """The flags of the dialogs, of which one at most is set; a handler that sets one opens or closes the dialog in the browser.

    A page binds an event, `on_click=DialogState.open("quote")`, and a handler of another state returns it. What the visitor opens, the
    browser opens at once and reports; `seq` is the number of the newest change that was reported: the browser ignores an answer to an
    older one.
    """

    show_quote_dialog: bool = False
    show_contact_dialog: bool = False
    show_consultation_dialog: bool = False
    seq: int = 0

    @rx.var
    def open_dialog(self) -> str:
        """The name of the open dialog, empty if none is."""
        flags = (self.show_quote_dialog, self.show_contact_dialog, self.show_consultation_dialog)
        return next((name for name, is_open in zip(DIALOGS, flags, strict=True) if is_open), "")

    @rx.event
    def open(self, name: Literal["quote", "contact", "consultation"]):
        """Open a dialog, and close the one that is open."""
        self._set(name)

    @rx.event
    def close(self):
        """Close the dialog that is open, if one is."""
        self._set("")

    @rx.event
    def report(self, name: Literal["", "quote", "contact", "consultation"], seq: int):
        """Take over which dialog the visitor has opened, or that none is open, unless something newer is known."""
        if seq >= self.seq:
            self.seq = seq
            self._set(name)

    def _set(self, name: str):
        self.show_quote_dialog = name == "quote"
        self.show_contact_dialog = name == "contact"
        self.show_consultation_dialog = name == "consultation"

"""Which dialog is open."""

import reflex as rx

DIALOGS = ("quote", "contact", "consultation")


class DialogState(rx.State):
    """The flags of the dialogs, of which one at most is set; a handler that sets one opens or closes the dialog in the browser.

    `seq` is the number of the newest change by the visitor that arrived here: the browser ignores an answer to an older one.
    """

    show_quote_dialog: bool = False
    show_contact_dialog: bool = False
    show_consultation_dialog: bool = False
    seq: int = 0

    @rx.var
    def open_dialog(self) -> str:
        """The name of the open dialog, empty if none is."""
        flags = (self.show_quote_dialog, self.show_contact_dialog, self.show_consultation_dialog)
        return next((name for name, shown in zip(DIALOGS, flags, strict=True) if shown), "")

    @rx.event
    def report(self, name: str, seq: int):
        """Take over which dialog the visitor has opened, or that none is open, unless something newer is known."""
        if type(seq) is int and seq >= self.seq and name in ("", *DIALOGS):
            self.seq = seq
            self.show_quote_dialog = name == "quote"
            self.show_contact_dialog = name == "contact"
            self.show_consultation_dialog = name == "consultation"

"""What booking says no to.

Refusal
 ├── SlotTaken       somebody was faster, or it is not offered (any more); knows the nearest free slots
 ├── HoldLost        the hold ran out and its slot went to somebody else, or there never was one
 ├── CallClosed      a call that is over or cancelled can be neither moved nor cancelled
 └── LooksAutomatic  it may have been a program: a person is asked to send it again
"""

from site_app.services.booking.slots import Slot
from site_app.services.refusals import Refusal


class SlotTaken(Refusal):
    def __init__(self, nearest: list[Slot]) -> None:
        super().__init__([slot.id for slot in nearest])
        self.nearest = nearest


class HoldLost(Refusal):
    pass


class CallClosed(Refusal):
    pass


class LooksAutomatic(Refusal):
    """`signs` is for the log; the visitor is only asked to try again."""

    def __init__(self, signs: tuple[str, ...]) -> None:
        super().__init__(*signs)
        self.signs = signs

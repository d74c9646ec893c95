"""The refusals of booking. Those marked "pages only" have no reply to API callers.

ProviderRefusal
 ├── SlotTaken         the slot was taken, or is not offered (any more); has the nearest free slots
 ├── MeetingClosed     the meeting is over or cancelled and cannot be changed; pages only
 ├── MeetingExists     the mailbox has an upcoming meeting already, which can be moved
 ├── MailedLinkNeeded  the meeting was moved too often without a mailed link, which proves access to the mailbox; pages only
 ├── TooManyMeetings   the network has reached its limit of upcoming meetings, or the mailbox its limit of the day
 ├── TooManyHolds      the network has reached its limit of holds; slots can still be booked without a hold
 └── LooksAutomatic    the sender may be a program: a person is asked to send it again
"""

import math
from datetime import timedelta

from site_app.contracts.meeting import Slot
from site_app.contracts.problems import problem
from site_app.core.i18n import t
from site_app.provider.http.refusals import ProviderRefusal, RefusalReply


class SlotTaken(ProviderRefusal):
    def __init__(self, nearest: list[Slot]) -> None:
        super().__init__([slot.id for slot in nearest])
        self.nearest = nearest

    def reply(self) -> RefusalReply:
        message = problem("slot_gone", "slot")
        return RefusalReply(409, "slot_taken", message, {"slot": message}, results=self.nearest)


class MeetingClosed(ProviderRefusal):
    pass


class MeetingExists(ProviderRefusal):
    def reply(self) -> RefusalReply:
        message = t(
            "You already have a call booked with this email address. To change its time, use the link in our latest email."
        )
        return RefusalReply(409, "call_exists", message, {"email": message})


class MailedLinkNeeded(ProviderRefusal):
    pass


class TooManyMeetings(ProviderRefusal):
    """`write_to` is our mail address. `for_mailbox` is True if the mailbox has reached its limit of the day, False for the network's limit."""

    def __init__(self, write_to: str, *, for_mailbox: bool = False) -> None:
        super().__init__()
        self.write_to = write_to
        self.for_mailbox = for_mailbox

    def reply(self) -> RefusalReply:
        if self.for_mailbox:
            message = t(
                "Two calls have already been booked with this email address today. Please email {email} and we’ll arrange yours.",
                email=self.write_to,
            )
        else:
            message = t(
                "Several calls are already booked from your network. Please email {email} and we’ll arrange yours.",
                email=self.write_to,
            )
        return RefusalReply(409, "too_many_calls", message)


class TooManyHolds(ProviderRefusal):
    """`wait` is the time until the network's next hold expires."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait

    def reply(self) -> RefusalReply:
        seconds = max(1, math.ceil(self.wait.total_seconds()))
        return RefusalReply(
            429, "too_many", t("We can’t hold this time for you right now, but you can still book it."), retry_after=seconds
        )


class LooksAutomatic(ProviderRefusal):
    def reply(self) -> RefusalReply:
        message = t("Our spam check didn’t let this through. Please wait a few seconds and send it again.")
        return RefusalReply(422, "looks_automatic", message)

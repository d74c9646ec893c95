"""The parts of booking that need browser code, such as a running clock, and the calendar of free days with its keyboard control."""

from components.booking.calendar_sheet import calendar
from components.booking.dialog import BookingDialogWatcher, PlainBookingLink, ShowAfter
from components.booking.hold import HoldClock, HoldWarnings
from components.booking.slots import slot_choices

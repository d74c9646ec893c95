"""The consultation: rules, free slots, holds, the booked meeting, its pages and mails, calendar files, the host’s calendars."""

"""The choice of a time and the call that was booked, as React parts."""

"""The component library: functions that take texts and handlers and return markup."""

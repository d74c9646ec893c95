"""Single controls: buttons, fields, dialogs, selects."""

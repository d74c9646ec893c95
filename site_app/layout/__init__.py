"""The parts around every page: head, bar, footer, dialogs, messages."""

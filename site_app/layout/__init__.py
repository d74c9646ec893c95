"""The parts around every page: head, bar, footer, dialogs, messages.

May import forms, states, content and components, and everything below them; imports no page.
"""

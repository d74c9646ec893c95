"""The parts around every page: bar, footer, dialogs, messages, and the head.

May import dialogs, states, components and content; imports no page.
"""

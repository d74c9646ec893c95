"""What is around every page: bar, footer, dialogs, messages, and the head.

It may touch dialogs, states, components and content; it knows no page.
"""

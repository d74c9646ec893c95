"""The component library: functions that take texts and handlers and return markup.

May import Reflex and its own parts; imports no state, no content and nothing else of this site.
"""

"""A form whose submission arrives once, whatever happens to the socket: `ReliableForm` in a page, `ReliableFormPlugin()` in rx.Config.

May import only Reflex; see README.md.
"""

from components.reliable_form.reliable_form import PATIENCE_MS, ReliableForm, ReliableFormPlugin, honeypot

__all__ = ["PATIENCE_MS", "ReliableForm", "ReliableFormPlugin", "honeypot"]

"""A form whose submission arrives once, whatever happens to the socket: `ReliableForm` in a page, `ReliableFormPlugin()` in rx.Config."""

from components.reliable_form.form import ACKNOWLEDGEMENT_TIMEOUT_MS, ReliableForm, honeypot
from components.reliable_form.plugin import ReliableFormPlugin

"""What the site counts while it runs, once it is asked to; labels are constants of the code and never a visitor's words."""

from site_app.metrics.facts import answered, called, delivered, refused, socket_closed, socket_opened, switch_on, took_lead

__all__ = [
    "answered",
    "called",
    "delivered",
    "refused",
    "socket_closed",
    "socket_opened",
    "switch_on",
    "took_lead",
]

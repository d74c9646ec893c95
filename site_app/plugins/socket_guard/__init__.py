"""A guard in front of Reflex's socket: limits which events a browser may send, how many and how large. Independent of this site; see README.md.

May import Reflex and Starlette; imports nothing else of this project.
"""

from site_app.plugins.socket_guard.events import EventTable, UncheckableEvent, check_handlers
from site_app.plugins.socket_guard.guard import DisconnectedSessions, GuardObserver, SocketGuard, SocketLimits

__all__ = [
    "DisconnectedSessions",
    "EventTable",
    "GuardObserver",
    "SocketGuard",
    "SocketLimits",
    "UncheckableEvent",
    "check_handlers",
]

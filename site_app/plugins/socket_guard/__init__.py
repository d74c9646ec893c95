"""A guard in front of Reflex's socket: limits which events a browser may send, how many and how large. See README.md.

Checks who opens a socket and every frame that comes through it, and closes it on a violation. Limits how much one socket may send, and
how many sockets one network may have. Keeps the states of the visitors who left last, so that they can return. Independent of this site.
"""

from site_app.plugins.socket_guard.events import EventTable, UncheckableEvent, check_handlers
from site_app.plugins.socket_guard.guard import GuardObserver, SocketGuard, SocketLimits
from site_app.plugins.socket_guard.rates import OpenSockets, Rate
from site_app.plugins.socket_guard.sessions import DisconnectedSessions

"""Before Reflex's socket: only what a browser of this site sends comes through."""

from site_app.socket_guard.departed import Departed, States
from site_app.socket_guard.events import reviewed, takes_reading
from site_app.socket_guard.guard import SocketGuard

__all__ = ["Departed", "SocketGuard", "States", "reviewed", "takes_reading"]

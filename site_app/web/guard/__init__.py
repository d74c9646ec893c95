"""Before Reflex's socket: only what a browser of this site sends comes through."""

from site_app.web.guard.events import reviewed
from site_app.web.guard.guard import SocketGuard

__all__ = ["SocketGuard", "reviewed"]

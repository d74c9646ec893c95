"""Sockets of several processes: a returning visitor finds what was open; connections whose answers stay unread are ended by
the kernel.
"""

import asyncio
import pickle
import socket
import uuid
from contextlib import suppress
from pathlib import Path

from redis.exceptions import RedisError
from reflex.state import StateUpdate
from reflex.utils import token_manager
from reflex.utils.token_manager import LocalTokenManager, LostAndFoundRecord, RedisTokenManager, SocketRecord

_PROBE = LostAndFoundRecord(token=f"probe-{uuid.uuid4()}", update=StateUpdate())
_PATIENCE_SECONDS = 1.0  # a process that stops removes its records within that
_LOOK_AGAIN_SECONDS = 0.05
_ANSWER_SECONDS = 2.0


class LiveTokens(RedisTokenManager):
    """Reflex's own manager, which ignores what a killed process has left in Redis.

    Reflex gives a tab whose token is in use a new token, because a duplicated tab must not share its state. The record that a killed
    process left behind looks like such a use: all of its visitors would lose what they had open.
    """

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """Ends within seconds: Reflex's client waits for ever, and until its socket is linked nobody notices that a visitor leaves."""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await self._link(token, sid)
        except TimeoutError:
            if sid not in self.sid_to_token:
                return await LocalTokenManager.link_token_to_sid(self, token, sid)
            linked = self.sid_to_token[sid]  # only the note in Redis was not done in time
            return linked if linked != token else None

    async def _link(self, token: str, sid: str) -> str | None:
        with suppress(RedisError):  # Reflex handles a Redis that is away itself
            await self._forget_killed_process(token)
        return await super().link_token_to_sid(token, sid)

    async def _forget_killed_process(self, token: str) -> None:
        key = self._get_redis_key(token)
        for _ in range(int(_PATIENCE_SECONDS / _LOOK_AGAIN_SECONDS)):
            owner = await self.redis.get(key)
            if not owner:
                return
            record: SocketRecord = pickle.loads(owner)  # noqa: S301  as Reflex reads it: whoever may write there runs code anyway
            if record.instance_id != self.instance_id and not await self._is_alive(record.instance_id):
                await self.redis.delete(key)
                return
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def _is_alive(self, instance: str) -> bool:
        """Every process subscribes to a channel of its own; Redis returns how many received this harmless message."""
        inbox = f"channel:{self._get_lost_and_found_key(instance)}"
        return bool(await self.redis.publish(inbox, pickle.dumps(_PROBE)))


def install() -> None:
    """Have Reflex use it; before the app is made, which makes its token manager."""
    token_manager.RedisTokenManager = LiveTokens


UNREAD_SECONDS = 15  # for which nothing of an answer is read


def end_unread_answers(seconds: int = UNREAD_SECONDS) -> int:
    """Set the kernel's time-out on this process's listening sockets, from which connections inherit it; returns their number.

    An answer that nobody reads stays in memory until its connection ends, and the server has no setting for that.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        return 0
    return sum(_set_timeout(int(file.name), seconds) for file in Path("/proc/self/fd").iterdir())


def _set_timeout(descriptor: int, seconds: int) -> bool:
    """Return False for a descriptor that is no listening TCP socket."""
    try:
        listener = socket.socket(fileno=descriptor)
    except OSError:
        return False
    try:
        if listener.family == socket.AF_UNIX or not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return False
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds * 1000)
        return True
    except OSError:
        return False
    finally:
        listener.detach()  # the descriptor belongs to whoever opened it

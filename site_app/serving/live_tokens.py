"""Sockets of several processes: a returning visitor gets the same state back, even after a process was killed."""

import asyncio
import pickle
import uuid
from contextlib import suppress

from redis.exceptions import RedisError
from reflex.state import StateUpdate
from reflex.utils import token_manager
from reflex.utils.token_manager import LocalTokenManager, LostAndFoundRecord, RedisTokenManager, SocketRecord

_PROBE = LostAndFoundRecord(token=f"probe-{uuid.uuid4()}", update=StateUpdate())
_PATIENCE_SECONDS = 1.0  # a process that stops normally removes its records within this time
_POLL_SECONDS = 0.05
_ANSWER_SECONDS = 2.0


class LiveTokens(RedisTokenManager):
    """Reflex's own manager, but removes records that a killed process left in Redis.

    If a tab's token is in use, Reflex gives the tab a new token, because a duplicated tab must not share the state. A record left by a
    killed process looks like such a use, and all visitors of that process would lose their state.
    """

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """Links a token within a deadline: Reflex's Redis client has no timeout, and a visitor's leaving is noticed only once the socket is linked."""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await self._link(token, sid)
        except TimeoutError:
            if sid not in self.sid_to_token:
                return await LocalTokenManager.link_token_to_sid(self, token, sid)
            linked = self.sid_to_token[sid]  # linked here; only the record in Redis missed the deadline
            return linked if linked != token else None

    async def _link(self, token: str, sid: str) -> str | None:
        with suppress(RedisError):  # Reflex itself handles a Redis that is unreachable
            await self._forget_killed_process(token)
        return await super().link_token_to_sid(token, sid)

    async def _forget_killed_process(self, token: str) -> None:
        key = self._get_redis_key(token)
        for _ in range(int(_PATIENCE_SECONDS / _POLL_SECONDS)):
            owner = await self.redis.get(key)
            if not owner:
                return
            record: SocketRecord = pickle.loads(owner)  # noqa: S301  as Reflex does: whoever can write to Redis can run code anyway
            if record.instance_id != self.instance_id and not await self._is_alive(record.instance_id):
                await self.redis.delete(key)
                return
            await asyncio.sleep(_POLL_SECONDS)

    async def _is_alive(self, instance: str) -> bool:
        """Publishes a harmless message to the process's own channel; Redis returns the number of subscribers, which is 0 if it is dead."""
        inbox = f"channel:{self._get_lost_and_found_key(instance)}"
        return bool(await self.redis.publish(inbox, pickle.dumps(_PROBE)))


def install() -> None:
    """Makes Reflex use LiveTokens. Must be called before the app is created, because the app creates its token manager."""
    token_manager.RedisTokenManager = LiveTokens

"""With several processes a visitor who comes back finds what he had open, though the process he was at was killed."""

import asyncio
import pickle
import uuid
from contextlib import suppress

from redis.exceptions import RedisError
from reflex.state import StateUpdate
from reflex.utils import token_manager
from reflex.utils.token_manager import LocalTokenManager, LostAndFoundRecord, RedisTokenManager, SocketRecord

_NOBODYS = LostAndFoundRecord(token=f"probe-{uuid.uuid4()}", update=StateUpdate())
_PATIENCE_SECONDS = 1.0  # a process on its way out takes its records along within that
_LOOK_AGAIN_SECONDS = 0.05
_ANSWER_SECONDS = 2.0


class LiveTokens(RedisTokenManager):
    """Reflex's own, but a record of a process that is no more is no rival.

    Reflex gives whoever shows a token that is in use a new one, for a tab that was duplicated must not share its state. What a
    killed process left in Redis looks just so: every visitor of it would begin anew.
    """

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """Within seconds: Reflex's client waits for ever, and until its socket is linked nobody sees that a visitor has left."""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await self._link(token, sid)
        except TimeoutError:
            if sid not in self.sid_to_token:
                return await LocalTokenManager.link_token_to_sid(self, token, sid)
            linked = self.sid_to_token[sid]  # what was not done in time is to note it in Redis
            return linked if linked != token else None

    async def _link(self, token: str, sid: str) -> str | None:
        with suppress(RedisError):  # Reflex's own way for a Redis that is away
            await self._forget_the_dead(token)
        return await super().link_token_to_sid(token, sid)

    async def _forget_the_dead(self, token: str) -> None:
        key = self._get_redis_key(token)
        for _ in range(int(_PATIENCE_SECONDS / _LOOK_AGAIN_SECONDS)):
            kept = await self.redis.get(key)
            if not kept:
                return
            record: SocketRecord = pickle.loads(kept)  # noqa: S301  as Reflex reads it: whoever may write there runs code anyway
            if record.instance_id != self.instance_id and not await self._is_alive(record.instance_id):
                await self.redis.delete(key)
                return
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def _is_alive(self, instance: str) -> bool:
        """Every process listens for what concerns its visitors; Redis says how many heard this, and nobody minds hearing it."""
        inbox = f"channel:{self._get_lost_and_found_key(instance)}"
        return bool(await self.redis.publish(inbox, pickle.dumps(_NOBODYS)))


def install() -> None:
    """Have Reflex use it; before the app is made, which makes its token manager."""
    token_manager.RedisTokenManager = LiveTokens

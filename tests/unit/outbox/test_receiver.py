"""A receiver whose name cannot be looked up keeps nothing else waiting."""

import asyncio
import socket
from threading import Event

import pytest

from site_app.provider.outbox import targets
from site_app.provider.outbox.targets import Receiver
from site_app.provider.outbox.transports import NotDelivered

pytestmark = pytest.mark.anyio


async def test_a_lookup_that_hangs_delays_no_other_and_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, look_up = Event(), socket.getaddrinfo

    def hanging(host: str, *arguments: object, **options: object) -> object:
        if host == "slow.test":
            go_on.wait()
        return look_up(host, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", hanging)
    slow = Receiver("https://slow.test/")
    try:
        with monkeypatch.context() as patch:
            patch.setattr(targets, "_TOTAL_SECONDS", 0.01)
            for _ in range(40):  # more than there are threads for files
                with pytest.raises(NotDelivered, match="TimeoutError"):
                    await slow.look_up()
        async with asyncio.timeout(2):
            await asyncio.to_thread(lambda: None)
            with pytest.raises(NotDelivered, match="PrivateAddress"):
                await Receiver("https://127.0.0.1/").look_up()
    finally:
        go_on.set()

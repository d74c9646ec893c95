"""A mail server that takes everything, and remembers the Message-ID of each mail it took."""

from email import message_from_bytes, policy
from typing import Any

from aiosmtpd.controller import Controller

from tests.browser.server import free_port


class PostBox:
    """In a thread of its own, for rows come and go with event loops of their own."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.received.append(str(mail["Message-ID"]))
        return "250 OK"

"""A local mail server that misbehaves on request."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class Temper:
    """Behaviour for the next mails: each entry is used once, then the server behaves normally again."""

    moods: list[str] = field(default_factory=list)
    accepted: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    mood: dict[object, str] = field(default_factory=dict)  # of each connection, by the client's port
    refused: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    stalled: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle_EHLO(self, server: SMTP, session: Session, envelope: Envelope, name: str, answers: list[str]) -> Any:  # noqa: N802
        self.connections += 1
        self.mood[session.peer] = self.moods.pop(0) if self.moods else ""
        session.host_name = name
        return answers

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:  # noqa: N802
        mood = self.mood[session.peer]
        if mood in ("421", "451", "550"):
            self.refused.release()
            return f"{mood} no, <{address}>, not now"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        mood = self.mood[session.peer]
        if mood == "stalled":
            await self.stalled.wait()
        if mood == "slow":
            await asyncio.sleep(2)
        content = envelope.content
        assert isinstance(content, bytes)
        self.accepted.append(message_from_bytes(content, policy=policy.default))  # pyright: ignore
        self.recipients += envelope.rcpt_tos
        if mood == "dropped after DATA":
            server.transport.abort()  # pyright: ignore
        if mood == "rude at QUIT":
            server.transport.write(b"250 OK\r\n")  # pyright: ignore
            server.transport.close()  # pyright: ignore
        return "250 OK"


@asynccontextmanager
async def mail_server(*moods: str, tls: ssl.SSLContext | None = None, port: int = 0, **options: Any) -> AsyncIterator[Temper]:
    temper = Temper(list(moods))
    loop = asyncio.get_running_loop()
    speaker = lambda: SMTP(temper, loop=loop, hostname="mail.test", **options)  # noqa: E731
    server = await loop.create_server(speaker, "127.0.0.1", port, ssl=tls)
    temper.port = server.sockets[0].getsockname()[1]
    try:
        yield temper
    finally:
        temper.stalled.set()
        server.close()
        await server.wait_closed()


async def closed_port() -> int:
    """Returns a port on which nobody listens."""
    async with mail_server() as temper:
        return temper.port

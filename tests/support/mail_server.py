"""A local mail server that misbehaves on request."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@dataclass
class FaultyServer:
    """The server's state. Each of its `faults` happens to one connection; later ones are served normally."""

    faults: list[str] = field(default_factory=list)
    accepted: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    fault: dict[object, str] = field(default_factory=dict)  # of each connection, by the client's port
    refused: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    stalled: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle_EHLO(self, server: SMTP, session: Session, envelope: Envelope, name: str, answers: list[str]) -> Any:  # noqa: N802
        self.connections += 1
        self.fault[session.peer] = self.faults.pop(0) if self.faults else ""
        session.host_name = name
        return answers

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:  # noqa: N802
        fault = self.fault[session.peer]
        if fault in ("421", "451", "550"):
            self.refused.release()
            return f"{fault} no, <{address}>, not now"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        fault = self.fault[session.peer]
        if fault == "stalled":
            await self.stalled.wait()
        if fault == "slow":
            await asyncio.sleep(2)
        content = envelope.content
        assert isinstance(content, bytes)
        self.accepted.append(message_from_bytes(content, policy=policy.default))  # pyright: ignore
        self.recipients += envelope.rcpt_tos
        if fault == "dropped after DATA":
            server.transport.abort()  # pyright: ignore
        if fault == "rude at QUIT":
            server.transport.write(b"250 OK\r\n")  # pyright: ignore
            server.transport.close()  # pyright: ignore
        return "250 OK"


def authenticate(_server: object, _session: object, _envelope: object, _mechanism: str, credentials: Any) -> AuthResult:
    """Accepts the user agency with the password secret."""
    correct = isinstance(credentials, LoginPassword) and (credentials.login, credentials.password) == (b"agency", b"secret")
    return AuthResult(success=correct, handled=False)


@asynccontextmanager
async def mail_server(
    *faults: str, tls: ssl.SSLContext | None = None, port: int = 0, **options: Any
) -> AsyncIterator[FaultyServer]:
    server = FaultyServer(list(faults))
    loop = asyncio.get_running_loop()
    make_session = lambda: SMTP(server, loop=loop, hostname="mail.test", **options)  # noqa: E731
    listener = await loop.create_server(make_session, "127.0.0.1", port, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        server.stalled.set()
        listener.close()
        await listener.wait_closed()


async def closed_port() -> int:
    """Returns a port on which nobody listens."""
    async with mail_server() as server:
        return server.port

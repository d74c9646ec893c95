"""TLS in front of the site, as with a reverse proxy: https is forwarded, http redirected."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.trials.lab.scorecard import NotRun


@dataclass(frozen=True)
class Front:
    """The proxy's address, and its certificate."""

    http: int
    https: int
    certificate: Path


@asynccontextmanager
async def in_front(port: int, name: str, folder: Path) -> AsyncIterator[Front]:
    """Serves the site on that local port under that host name."""
    certificate, key = made_for(name, folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def passes_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        with suppress(ConnectionError, ssl.SSLError):
            await asyncio.gather(_pump(reader, server_writer), _pump(there_reader, writer))

    async def redirects(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
            writer.write(
                f"HTTP/1.1 308 Permanent Redirect\r\nLocation: https://{name}{path}\r\nContent-Length: 0\r\n\r\n".encode()
            )
        writer.close()

    plain = await asyncio.start_server(redirects, "127.0.0.1", 0)
    secure = await asyncio.start_server(passes_on, "127.0.0.1", 0, ssl=context)
    async with plain, secure:
        yield Front(plain.sockets[0].getsockname()[1], secure.sockets[0].getsockname()[1], certificate)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


def made_for(name: str, folder: Path) -> tuple[Path, Path]:
    """Creates a certificate for that name, and its key."""
    program = shutil.which("openssl")
    if not program:
        raise NotRun("needs openssl, to make a certificate")
    certificate, key = folder / "front.pem", folder / "front.key"
    command = [program, *["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"], "-keyout", key, "-out", certificate]
    command += ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    subprocess.run(command, capture_output=True, check=True)
    return certificate, key

"""The certificate of the servers on this machine, and a name service that knows them alone."""

import ssl
from dataclasses import dataclass
from ipaddress import ip_address

from site_app.provider.outbox.public_addresses import IpAddress


@dataclass(frozen=True)
class Certificate:
    """The server's context, and that of a client that trusts it."""

    server: ssl.SSLContext
    client: ssl.SSLContext


async def this_machine(host: str, port: int) -> list[IpAddress]:
    return [ip_address("127.0.0.1")]

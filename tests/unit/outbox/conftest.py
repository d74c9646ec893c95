"""The servers on this machine: their certificate, and a name service that knows them alone."""

import ssl
import subprocess
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import pytest

from site_app.provider.outbox.public_addresses import IpAddress


@dataclass(frozen=True)
class Certificate:
    """The server's context, and that of a client that trusts it."""

    server: ssl.SSLContext
    client: ssl.SSLContext


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    folder: Path = tmp_path_factory.mktemp("certificate")
    key, cert = folder / "key.pem", folder / "cert.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=crm.test"
    names = "subjectAltName=DNS:crm.test,IP:127.0.0.1"
    subprocess.run([*make.split(), "-addext", names, "-keyout", key, "-out", cert], check=True, capture_output=True)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(cert, key)
    return Certificate(server, ssl.create_default_context(cafile=str(cert)))


async def this_machine(host: str, port: int) -> list[IpAddress]:
    return [ip_address("127.0.0.1")]

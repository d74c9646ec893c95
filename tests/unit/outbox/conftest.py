"""A certificate for the servers on this machine."""

import ssl
import subprocess
from pathlib import Path

import pytest

from tests.unit.outbox.local_servers import Certificate


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

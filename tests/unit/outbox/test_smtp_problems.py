"""A mail server that does not take our mails is explained: the real reason, and what to set."""

import asyncio
import socket
import warnings
from datetime import timedelta
from typing import Any

import pytest

from site_app.core.settings import Settings
from site_app.provider.outbox.smtp_problems import explain
from site_app.provider.outbox.transports import NotDelivered, SmtpTransport
from tests.support.mail_server import authenticate, closed_port, mail_server
from tests.unit.outbox.local_servers import Certificate

pytestmark = pytest.mark.anyio


async def explained(port: int, certificate: Certificate | None = None, **options: Any) -> tuple[str, str]:
    settings = Settings(**{"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_timeout": timedelta(seconds=2)} | options)
    with pytest.raises(NotDelivered) as failure:
        await SmtpTransport(settings, trust=certificate.client if certificate else None).greet()
    return explain(failure.value, settings)


async def test_a_name_that_dns_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", fail)

    sentence, fix = await explained(587, smtp_host="smtp.example.org")

    assert sentence == "its name smtp.example.org cannot be resolved (Name or service not known)"
    assert "SITE_SMTP_HOST" in fix


async def test_a_port_that_is_closed() -> None:
    sentence, fix = await explained(await closed_port(), smtp_security="none")

    assert "refuses connections" in sentence
    assert "SITE_SMTP_PORT" in fix


async def test_a_server_without_starttls() -> None:
    async with mail_server() as server:
        sentence, fix = await explained(server.port, smtp_security="starttls")

    assert "no STARTTLS" in sentence
    assert "SITE_SMTP_SECURITY" in fix


async def test_a_port_that_does_not_begin_with_tls() -> None:
    async with mail_server() as server:
        sentence, fix = await explained(server.port, smtp_security="tls")

    assert "does not begin with TLS" in sentence
    assert "SITE_SMTP_SECURITY=starttls" in fix


async def test_a_certificate_that_is_not_trusted(certificate: Certificate) -> None:
    async with mail_server(tls=certificate.server) as server:
        sentence, _ = await explained(server.port, smtp_security="tls")

    assert sentence.startswith("its certificate is not trusted for 127.0.0.1 (")


async def test_a_password_that_is_wrong_is_not_shown(certificate: Certificate) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # aiosmtpd cannot test TLS versions
        async with mail_server(tls=certificate.server, authenticator=authenticate, auth_require_tls=False) as server:
            sign_in = {"smtp_user": "agency", "smtp_password": "hunter2", "smtp_security": "tls"}
            sentence, fix = await explained(server.port, certificate, **sign_in)

    assert "rejects user or password (535" in sentence
    assert "SITE_SMTP_PASSWORD" in fix
    assert "hunter2" not in sentence + fix


async def test_a_server_that_offers_no_sign_in(certificate: Certificate) -> None:
    async with mail_server(tls=certificate.server) as server:
        sign_in = {"smtp_user": "agency", "smtp_password": "secret", "smtp_security": "tls"}
        sentence, fix = await explained(server.port, certificate, **sign_in)

    assert "offers no sign-in" in sentence
    assert "SITE_SMTP_USER" in fix


async def test_a_server_that_says_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        sentence, fix = await explained(silent.getsockname()[1], smtp_security="none", smtp_timeout=timedelta(seconds=0.2))

    assert "does not answer within" in sentence
    assert "firewall" in fix


def test_another_failure_is_named_as_in_the_log() -> None:
    assert explain(NotDelivered("SMTPHeloError 500"), Settings())[0] == "SMTPHeloError 500"

"""Mails are sent over TLS, into a folder, or into a list."""

import asyncio
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from site_app.core.settings import Settings
from site_app.provider.outbox.transports import FolderTransport, NotDelivered, SmtpTransport
from tests.support.mail_server import authenticate, mail_server
from tests.support.outbox import a_mail, a_row
from tests.unit.outbox.local_servers import Certificate

pytestmark = pytest.mark.anyio
MAIL = a_mail(a_row())


def secured_transport(port: int, security: str, certificate: Certificate | None, password: str = "secret") -> SmtpTransport:
    options = {"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": security}
    settings = replace(Settings(), smtp_user="agency", smtp_password=password, **options)
    return SmtpTransport(settings, trust=certificate.client if certificate else None)


async def test_starttls_comes_before_the_password(certificate: Certificate) -> None:
    options = {"tls_context": certificate.server, "authenticator": authenticate, "auth_required": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # aiosmtpd cannot test TLS versions
        async with mail_server(**options) as server:
            await secured_transport(server.port, "starttls", certificate).send(MAIL)
            with pytest.raises(NotDelivered, match="SMTPAuthenticationError 535"):
                await secured_transport(server.port, "starttls", certificate, password="wrong").greet()

    assert server.recipients == ["visitor1@example.org"]


async def test_tls_can_be_used_from_the_first_byte(certificate: Certificate) -> None:
    options = {"authenticator": authenticate, "auth_require_tls": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        async with mail_server(tls=certificate.server, **options) as server:
            await secured_transport(server.port, "tls", certificate).send(MAIL)

    assert len(server.accepted) == 1


async def test_no_mail_is_sent_to_an_untrusted_certificate(certificate: Certificate) -> None:
    async with mail_server(tls=certificate.server) as server:
        with pytest.raises(NotDelivered):
            await secured_transport(server.port, "tls", None).send(MAIL)

    assert server.accepted == []


async def test_a_mail_sent_twice_is_one_file_in_the_folder(tmp_path: Path) -> None:
    transport = FolderTransport(tmp_path / "mail")

    await transport.send(MAIL)
    await transport.send(MAIL)

    (file,) = (tmp_path / "mail").iterdir()
    assert file.name == "Q-1.answer.0@example.com.eml"
    assert await asyncio.to_thread(file.read_bytes) == MAIL
    assert file.parent.stat().st_mode & 0o077 == 0
    assert file.stat().st_mode & 0o077 == 0


async def test_a_message_id_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    row = a_row()
    row.message_id = "<../../etc/x@example.com>"

    await FolderTransport(tmp_path / "mail").send(a_mail(row))

    (file,) = (tmp_path / "mail").iterdir()
    assert file.suffix == ".eml"


async def test_an_unwritable_folder_is_a_failed_delivery(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("in the way")

    with pytest.raises(NotDelivered, match="FileExistsError"):
        await FolderTransport(tmp_path / "mail").send(MAIL)

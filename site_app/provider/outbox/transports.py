"""The transports of mails: SMTP, or a folder; and the error of every delivery that fails."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email.message import EmailMessage
from pathlib import Path

from aiosmtplib import SMTP, SMTPException, SMTPRecipientsRefused, SMTPResponseException

from site_app.core.files import write_durably
from site_app.core.settings import Settings
from site_app.provider.outbox.mail import read_mail

_QUIT_SECONDS = 2.0


class NotDelivered(Exception):
    """Delivery failed or was not confirmed. The message contains no visitor data and may be logged; `cause` may contain some."""

    def __init__(self, message: str, cause: BaseException | None = None) -> None:
        super().__init__(message)
        self.cause = cause


class SmtpTransport:
    """Sends each mail over its own connection, so that a broken connection affects only one mail."""

    def __init__(self, settings: Settings, trust: ssl.SSLContext | None = None) -> None:
        self._settings = settings
        self._trust = trust
        self._seconds = settings.smtp_timeout.total_seconds()

    async def send(self, mail: bytes) -> None:
        """Returns when the server has accepted the mail; otherwise raises NotDelivered."""
        async with self._connected() as client:
            message = read_mail(mail)
            await client.sendmail(_header_address(message, "From"), [_header_address(message, "To")], mail)

    async def greet(self) -> None:
        """Connects, starts TLS and signs in, but sends no mail. Raises NotDelivered if one of these steps fails."""
        async with self._connected():
            pass

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[SMTP]:
        client = self._client()
        try:
            # aiosmtplib applies its timeout to each command, so a slow server could hold us for minutes.
            async with asyncio.timeout(self._seconds):
                await client.connect()
                yield client
        except (SMTPException, OSError, TimeoutError) as error:
            raise NotDelivered(_without_addresses(error), error) from None
        else:
            await _quit(client)
        finally:
            client.close()

    def _client(self) -> SMTP:
        return SMTP(
            hostname=self._settings.smtp_host,
            port=self._settings.smtp_port,
            username=self._settings.smtp_user or None,
            password=self._settings.smtp_password or None,
            use_tls=self._settings.smtp_security == "tls",
            start_tls=self._settings.smtp_security == "starttls",
            tls_context=self._trust,
            timeout=self._seconds,
        )


class FolderTransport:
    """Writes each mail to a file named by its Message-ID, so that sending it twice leaves one file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def send(self, mail: bytes) -> None:
        try:
            await asyncio.to_thread(self._write, mail)
        except OSError as error:
            raise NotDelivered(_without_addresses(error)) from None

    def _write(self, mail: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = re.sub(r"[^A-Za-z0-9.@-]+", "", read_mail(mail)["Message-ID"]) + ".eml"
        # The name begins with the lead's reference, so a part left by a crash is erased with the lead.
        write_durably(self._folder / name, mail)


def mail_transport_of(settings: Settings) -> SmtpTransport | FolderTransport:
    """Returns the transport chosen by SITE_MAIL_TRANSPORT."""
    return SmtpTransport(settings) if settings.mail_transport == "smtp" else FolderTransport(settings.var / "mail")


async def _quit(client: SMTP) -> None:
    # The mail is accepted already: an error at QUIT must not cause a second delivery.
    with suppress(SMTPException, OSError, TimeoutError):
        async with asyncio.timeout(_QUIT_SECONDS):
            await client.quit()


def _header_address(message: EmailMessage, header: str) -> str:
    return message[header].addresses[0].addr_spec


def _without_addresses(error: Exception) -> str:
    """Returns the class and SMTP code of the error without the server's text, which often repeats the address."""
    if isinstance(error, SMTPRecipientsRefused):
        error = error.recipients[0]
    if isinstance(error, SMTPResponseException):
        return f"{type(error).__name__} {error.code}"
    return type(error).__name__

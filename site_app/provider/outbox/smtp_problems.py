"""Explains to an operator why the mail server could not be greeted. No mail is involved, so the server's own words may be shown."""

import socket
import ssl
from collections.abc import Iterator

from aiosmtplib import SMTPAuthenticationError, SMTPException

from site_app.core.settings import Settings
from site_app.provider.outbox.transports import NotDelivered

# By the kind of the error and a part of its text, the first that fits: the reason, and what to do.
_PROBLEMS: tuple[tuple[type[BaseException], str, str, str], ...] = (
    (
        socket.gaierror,
        "",
        "its name {host} cannot be resolved ({error.strerror})",
        "Correct SITE_SMTP_HOST, or the name servers of this machine.",
    ),
    (
        ConnectionRefusedError,
        "",
        "it refuses connections to port {port}",
        "Correct SITE_SMTP_PORT (587 for starttls, 465 for tls), or start the mail server.",
    ),
    (
        ssl.SSLCertVerificationError,
        "",
        "its certificate is not trusted for {host} ({error.verify_message})",
        "Set SITE_SMTP_HOST to the name in the certificate, or have the certificate renewed.",
    ),
    (
        ssl.SSLError,
        "",
        "port {port} does not begin with TLS",
        "Set SITE_SMTP_SECURITY=starttls with port 587, or SITE_SMTP_PORT=465 for tls.",
    ),
    (
        SMTPAuthenticationError,
        "",
        "it rejects user or password ({error.code} {error.message})",
        "Correct SITE_SMTP_USER and SITE_SMTP_PASSWORD; some providers want a password made for programs.",
    ),
    (
        SMTPException,
        "STARTTLS",
        "it offers no STARTTLS on port {port}",
        "Set SITE_SMTP_SECURITY=tls with port 465; none is only for a server on this machine.",
    ),
    (
        SMTPException,
        "AUTH",
        "it offers no sign-in on port {port}",
        "Correct SITE_SMTP_PORT, or leave out SITE_SMTP_USER and SITE_SMTP_PASSWORD if it knows this machine.",
    ),
    (
        TimeoutError,
        "",
        "it does not answer within {seconds:g} s",
        "Look whether a firewall or the hosting company blocks port {port}; port 465 wants SITE_SMTP_SECURITY=tls.",
    ),
)


def explain(failure: NotDelivered, settings: Settings) -> tuple[str, str]:
    """Returns the reason, as the end of a sentence, and what to do about it."""
    chain = [*_chain(failure.cause)]
    names = {"host": settings.smtp_host, "port": settings.smtp_port, "seconds": settings.smtp_timeout.total_seconds()}
    for kind, part, reason, fix in _PROBLEMS:
        for error in chain:
            if isinstance(error, kind) and part in str(error):
                return reason.format(error=error, **names), fix.format(**names)
    return str(failure), "Check the SITE_SMTP_… variables."


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yields the error and its causes."""
    while error:
        yield error
        error = error.__cause__ or error.__context__

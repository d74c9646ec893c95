"""A mail: its text, and its MIME message with headers safe from header injection."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from typing import Any

from site_app.core import colors
from site_app.core.i18n import current, in_local_words, labelled, t
from site_app.core.i18n.names import part_of_the_kingdom
from site_app.core.settings import Settings
from site_app.core.templates import templates

_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"  # part of the spelling of some names
# Characters with a meaning in an address header. Quoting is not enough: Python has lost the quotes when folding such a line.
_WITHOUT_ADDRESS_SYNTAX = str.maketrans(dict.fromkeys('<>()[]@,;:\\"', " "))
Fields = Mapping[str, Any]  # the payload of a row: the fields of a lead or meeting


@dataclass(frozen=True)
class Fact:
    """A labelled value, possibly of several lines. `is_link` marks an address of our own that is shown as a link."""

    label: str
    value: str
    is_link: bool = False


@dataclass(frozen=True)
class MailLink:
    label: str
    url: str


@dataclass(frozen=True)
class MailAddress:
    name: str
    email: str


@dataclass(frozen=True)
class CalendarFile:
    """An .ics file to attach; `method` repeats the METHOD in its content."""

    content: bytes
    method: str


@dataclass(frozen=True)
class MailText:
    """The parts of a mail's text, from top to bottom. Empty parts leave no gap."""

    subject: str
    heading: str
    opening: tuple[str, ...]  # mail programs show the first beside the subject in their lists
    greeting: str = ""
    facts: tuple[Fact, ...] = ()
    facts_title: str = ""
    action: MailLink | None = None
    steps: tuple[str, ...] = ()
    steps_title: str = ""
    closing: tuple[str, ...] = ()
    reply_to: MailAddress | None = None  # None: the agency
    is_reply: bool = False  # to something that the reader has sent
    calendar_file: CalendarFile | None = None


_MAX_NAME_LENGTH = 60
_MAX_SUBJECT_LENGTH = 150
# Seven bits, so that no relay needs to re-encode the mail on its way.
_ENCODED = policy.SMTP.clone(cte_type="7bit")


def mail_of(
    text: MailText, *, to: MailAddress, message_id: str, reference: str, created_at: datetime, settings: Settings
) -> bytes:
    """Returns the MIME message. The same text, id and time always give the same headers."""
    agency = MailAddress(settings.brand_name, settings.brand_email)
    mail = EmailMessage(policy=_ENCODED)
    mail["From"] = _address(MailAddress(settings.brand_name, settings.mail_from or settings.brand_email))
    mail["To"] = _address(to)
    mail["Reply-To"] = _reply_address(text.reply_to) or _address(agency)
    mail["Subject"] = header_line(text.subject, _MAX_SUBJECT_LENGTH)
    mail["Date"] = format_datetime(created_at)
    mail["Message-ID"] = message_id
    # Mails about the same lead or meeting refer to the same ancestor, so that mail programs show them as one thread.
    mail["References"] = f"<{reference}@{message_id.rpartition('@')[2]}"
    mail["Auto-Submitted"] = "auto-replied" if text.is_reply else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    template_values = {
        "text": text,
        "light": colors.light(),
        "dark": colors.dark(),
        "lang": current().tag,
        "brand": settings.brand_name,
        "labelled": labelled,
        "signature": _signature(text, settings),
    }
    mail.set_content(_rendered("mail.txt", template_values))
    mail.add_alternative(_rendered("mail.html", template_values), subtype="html")
    if text.calendar_file:
        mail.add_attachment(
            text.calendar_file.content,
            maintype="text",
            subtype="calendar",
            filename="call.ics",
            params={"method": text.calendar_file.method, "charset": "utf-8"},
        )
    mail["Content-Language"] = current().tag  # set last, because setting a body removes all Content-* headers
    return _bytes_without_injected_headers(mail)


def _signature(text: MailText, settings: Settings) -> tuple[str, ...]:
    """Returns the lines below a mail: a person in letters that greet, how to reach us, and what business mail must say of a company."""
    person = (t("{name}, Founder & CEO", name=settings.brand_founder),) if text.greeting else ()
    register = t(
        "Registered in {place}, number {number}. Registered office: {address}",
        place=part_of_the_kingdom(settings.brand_registered_in),
        number=settings.brand_company_number,
        address=in_local_words(settings.brand_address),
    )
    return (*person, settings.brand_legal_name, settings.brand_phone, settings.url, register)


def header_line(text: str, longest: int) -> str:
    """Returns the text without line breaks, control characters, direction marks and encoded words, truncated to `longest`."""
    printable = "".join(
        " " if unicodedata.category(sign) in _INVISIBLE_CATEGORIES and sign not in _JOINERS else sign for sign in text
    )
    # EmailMessage decodes "=?utf-8?q?=0ABcc=3A?=" in header values, and wrote the decoded line break into the header (seen on 3.11.7).
    printable = " ".join(printable.replace("=?", "= ?").split())
    return printable if len(printable) <= longest else printable[: longest - 1].rstrip() + "…"


def _bytes_without_injected_headers(mail: EmailMessage) -> bytes:
    """Returns the mail as bytes. Raises ValueError if parsing them yields other headers than were set (header injection)."""
    content = mail.as_bytes()
    if BytesHeaderParser().parsebytes(content).keys() != mail.keys():
        raise ValueError("the mail's bytes contain other headers than were set")
    return content


def _address(person: MailAddress) -> Address:
    local, _, domain = person.email.rpartition("@")
    name = header_line(person.name.translate(_WITHOUT_ADDRESS_SYNTAX), _MAX_NAME_LENGTH)
    return Address(display_name=name, addr_spec=f"{local}@{domain.encode('idna').decode()}")


def _reply_address(person: MailAddress | None) -> Address | None:
    """Returns None for an address that is invalid in a header: the mail to the team must be sent anyway, and has the address in its text."""
    try:
        return _address(person) if person else None
    except (ValueError, MessageError):
        return None


def _rendered(template: str, template_values: dict[str, object]) -> str:
    # Replace lone surrogates: a str may hold them, but they cannot be encoded in a mail.
    return (
        templates("site_app.provider.outbox").get_template(template).render(template_values).encode("utf-8", "replace").decode()
    )


def read_mail(mail: bytes) -> EmailMessage:
    """Parses the mail so that its headers can be read."""
    return message_from_bytes(mail, policy=policy.default)  # type: ignore[return-value]  # typeshed says Message

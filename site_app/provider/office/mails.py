"""Mails to the agency's own people: the link that signs in to the office, and a test mail."""

import secrets
from datetime import datetime

from site_app.core.i18n import ENGLISH
from site_app.core.settings import Settings
from site_app.provider.outbox.rows import SIGN_IN, TEST_MAIL, Template, mail_row
from site_app.provider.outbox.text import Fields, Link, MailText
from site_app.provider.store.tables import NewOutbox


def office_row(template: str, recipient: str, *, settings: Settings, now: datetime, **fields: str) -> NewOutbox:
    """Return the row of a mail to somebody of the agency; `fields` are what the template shows."""
    reference = f"office-{secrets.token_hex(8)}"
    return mail_row(template, {"reference": reference} | fields, recipient, ENGLISH.id, settings=settings, now=now)


def sign_in(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Sign in to the {settings.brand_name} office",
        heading="Sign in",
        opening=(f"This link works once, within {fields.get('minutes', '10')} minutes of asking for it.",),
        action=Link("Sign in", fields["url"]),
        closing=("If you did not ask for it, do nothing: without the link nobody gets in.",),
    )


def test_mail(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Test mail from {settings.brand_name}",
        heading="Mail leaves",
        opening=("You asked for this mail. It went the same way as mails to visitors.",),
    )


TEMPLATES = {SIGN_IN: Template(sign_in), TEST_MAIL: Template(test_mail)}

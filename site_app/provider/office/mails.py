"""Mails to people of the agency, in English: the sign-in link, and the test mail that the office's button sends."""

import secrets
from datetime import datetime

from site_app.core.locales import ENGLISH
from site_app.core.settings import Settings
from site_app.provider.outbox.mail import Fields, MailLink, MailText
from site_app.provider.outbox.rows import Template, mail_row
from site_app.provider.store.tables import NewOutbox

_SIGN_IN = "office-sign-in"
_TEST = "office-test"


def sign_in_row(recipient: str, url: str, *, minutes: int, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the outbox row of the mail with a sign-in link, which is valid for so many minutes."""
    return _office_row(_SIGN_IN, recipient, {"url": url, "minutes": str(minutes)}, settings=settings, now=now)


def test_mail_row(recipient: str, *, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the outbox row of a test mail."""
    return _office_row(_TEST, recipient, {}, settings=settings, now=now)


def _office_row(template: str, recipient: str, fields: Fields, *, settings: Settings, now: datetime) -> NewOutbox:
    reference = f"office-{secrets.token_hex(8)}"
    return mail_row(template, {"reference": reference} | dict(fields), recipient, ENGLISH.id, settings=settings, now=now)


def _sign_in_text(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Sign in to the {settings.brand_name} office",
        heading="Sign in",
        opening=(f"This link works only once, and for {fields.get('minutes', '10')} minutes.",),
        action=MailLink("Sign in", fields["url"]),
        closing=("If you didn’t request it, ignore this email: no one can sign in without the link.",),
    )


def _test_text(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=f"Test email from {settings.brand_name}",
        heading="Email works",
        opening=("You requested this test. It was sent in the same way as emails to visitors.",),
    )


TEMPLATES = {_SIGN_IN: Template(_sign_in_text, has_lead=False), _TEST: Template(_test_text, has_lead=False)}

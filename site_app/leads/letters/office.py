"""Mails to the agency's own people, in English: a link to sign in, and a mail that proves that mail leaves."""

from site_app.leads.letters.facts import Fields
from site_app.leads.letters.letter import Letter, Link
from site_app.settings import Settings


def sign_in(fields: Fields, settings: Settings) -> Letter:
    return Letter(
        subject=f"Sign in to the {settings.brand_name} office",
        heading="Sign in",
        opening=("This link works once, within ten minutes of asking for it.",),
        action=Link("Sign in", fields["url"]),
        closing=("If you did not ask for it, do nothing: without the link nobody gets in.",),
    )


def proof(fields: Fields, settings: Settings) -> Letter:
    return Letter(
        subject=f"Test mail from {settings.brand_name}",
        heading="Mail leaves",
        opening=("You asked for this mail. It went the same way as mails to visitors.",),
    )

"""The labels of fields that several contracts share, in the current language."""

from collections.abc import Callable

from site_app.core.i18n import t

LABELS: dict[str, Callable[[], str]] = {
    "full_name": lambda: t("Full name"),
    "first_name": lambda: t("First name"),
    "last_name": lambda: t("Last name"),
    "email": lambda: t("Email address"),
    "phone": lambda: t("Phone number"),
    "company": lambda: t("Company"),
    "country": lambda: t("Country"),
    "currency": lambda: t("Currency"),
    "time_zone": lambda: t("Time zone"),
    "slot": lambda: t("Meeting slot"),
    "project_information": lambda: t("Project information"),
    "additional_notes": lambda: t("Additional notes"),
    "guest_email": lambda: t("Guest’s email address"),
    "host": lambda: t("Host"),
    "call_language": lambda: t("Language of the call"),
    "attachments": lambda: t("Additional files"),
}


def label(name: str) -> str:
    """Returns the field's label, or its name for a field that only programs send."""
    return LABELS[name]() if name in LABELS else name

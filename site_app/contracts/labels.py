"""What the fields are called, in the language being written."""

from collections.abc import Callable

from site_app.i18n import t

LABELS: dict[str, Callable[[], str]] = {
    "full_name": lambda: t("Full name"),
    "first_name": lambda: t("First name"),
    "last_name": lambda: t("Last name"),
    "email": lambda: t("Email address"),
    "phone": lambda: t("Phone number"),
    "company": lambda: t("Company"),
    "company_website": lambda: t("Company website"),
    "country": lambda: t("Country"),
    "currency": lambda: t("Preferred currency"),
    "time_zone": lambda: t("Time zone"),
    "slot": lambda: t("Meeting slot"),
    "subject": lambda: t("Subject"),
    "message": lambda: t("Your message"),
    "services": lambda: t("Services"),
    "project_description": lambda: t("Project description"),
    "project_information": lambda: t("Project information"),
    "additional_notes": lambda: t("Additional notes"),
    "attachments": lambda: t("Additional files"),
    "agreed_terms_version": lambda: t("Agreement to the affiliate terms"),
}


def label(name: str) -> str:
    """The field's label; a field that only programs send goes by its own name."""
    return LABELS[name]() if name in LABELS else name

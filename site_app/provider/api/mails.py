"""Every mail that the provider sends, by the name of its template: composes them, and says which belong to no lead."""

from site_app.core.settings import Settings
from site_app.provider.affiliates import mails as affiliate_mails
from site_app.provider.affiliates import payout_reminders, statements, terms
from site_app.provider.booking import mails as meeting_mails
from site_app.provider.leads import mails as lead_mails
from site_app.provider.office import mails as office_mails
from site_app.provider.outbox import rows
from site_app.provider.outbox.notices import TEST_NOTICE
from site_app.provider.outbox.rows import CALENDAR_REMOVAL
from site_app.provider.store.tables import NewOutbox

TEMPLATES = (
    lead_mails.TEMPLATES
    | meeting_mails.TEMPLATES
    | office_mails.TEMPLATES
    | affiliate_mails.TEMPLATES
    | statements.TEMPLATES
    | payout_reminders.TEMPLATES
    | terms.TEMPLATES
)
# Rows whose reference is that of neither a lead nor a meeting; the sweep erases them by their age.
TEMPLATES_WITHOUT_LEAD = (
    *(name for name, template in TEMPLATES.items() if not template.has_lead),
    CALENDAR_REMOVAL,
    TEST_NOTICE,
)


def compose(row: NewOutbox, settings: Settings) -> bytes:
    """Returns the MIME message of a row of the outbox."""
    return rows.compose(row, TEMPLATES[row.template], settings)

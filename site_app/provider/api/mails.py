"""Every mail that the provider sends, by the name of its template."""

from site_app.core.settings import Settings
from site_app.provider.affiliates import deadlines, statements, terms
from site_app.provider.affiliates import mails as affiliate_mails
from site_app.provider.booking import mails as meeting_mails
from site_app.provider.leads import mails as lead_mails
from site_app.provider.office import people as office_mails
from site_app.provider.outbox import rows
from site_app.provider.store.tables import NewOutbox

TEMPLATES = (
    lead_mails.TEMPLATES
    | meeting_mails.TEMPLATES
    | office_mails.TEMPLATES
    | affiliate_mails.TEMPLATES
    | statements.TEMPLATES
    | terms.TEMPLATES
    | deadlines.TEMPLATES
)


def compose(row: NewOutbox, settings: Settings) -> bytes:
    """Returns the MIME message of a row of the outbox."""
    return rows.compose(row, TEMPLATES[row.template], settings)

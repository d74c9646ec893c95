"""The table of lead kinds. A new kind needs a module and a line here, and a form: `make new KIND=form` writes them all."""

from site_app.contracts.kinds.affiliate import AFFILIATE
from site_app.contracts.kinds.message import MESSAGE
from site_app.contracts.kinds.quote import QUOTE
from site_app.contracts.submission import LeadKind

LEAD_KINDS: tuple[LeadKind, ...] = (
    QUOTE,
    MESSAGE,
    AFFILIATE,
)
BY_NAME = {kind.name: kind for kind in LEAD_KINDS}

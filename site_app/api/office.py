"""What every call has at hand: one object, made at the start, closed at the end."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from starlette.requests import Request

from site_app.api.limits import Limits
from site_app.api.visitor_country import CountryLookup
from site_app.contracts.submission import Submission
from site_app.services.leads import Desk
from site_app.services.suspicion import signs_of_spam
from site_app.services.tokens import Tokens
from site_app.settings import Settings
from site_app.store import Store


@dataclass(frozen=True)
class Office:
    """`wake` tells the courier that something was written."""

    settings: Settings
    store: Store
    tokens: Tokens
    limits: Limits
    lookup: CountryLookup
    clock: Callable[[], datetime]
    wake: Callable[[], None] = field(default=lambda: None)

    def desk(self, submission: Submission | None = None) -> Desk:
        """The desk for one submission, with what looks automatic about it."""
        signs = signs_of_spam(submission, self.tokens, self.settings.minimum_filling_time) if submission else ()
        return Desk(self.settings, self.tokens, self.clock(), signs)


def office_of(request: Request) -> Office:
    return request.app.state.office

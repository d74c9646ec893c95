"""What every call has at hand: one object, made at the start, closed at the end."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from starlette.requests import Request

from site_app.api.limits import Limits
from site_app.api.mail_domains import MailDomains
from site_app.api.visitor_country import CountryLookup
from site_app.contracts.submission import Reachable
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
    mail_domains: MailDomains
    clock: Callable[[], datetime]
    wake: Callable[[], None] = field(default=lambda: None)

    def desk(self) -> Desk:
        """The desk for what was taken before."""
        return Desk(self.settings, self.tokens, self.clock())

    async def desk_for(self, submission: Reachable) -> Desk:
        """The desk for one submission, with what looks automatic about it, and whether its sender's domain takes mail."""
        takes_mail = not self.settings.check_email_domains or await self.mail_domains.takes_mail(submission.domain)
        signs = signs_of_spam(submission, self.tokens, self.settings.minimum_filling_time)
        return replace(self.desk(), signs=signs, domain_takes_mail=takes_mail)


def office_of(request: Request) -> Office:
    return request.app.state.office

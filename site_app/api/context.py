"""What every call has at hand: one object, made at the start, closed at the end."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from starlette.requests import Request

from site_app.api.mail_domains import MailDomains
from site_app.api.visitor_country import CountryLookup
from site_app.contracts.submission import Reachable
from site_app.http.addresses import address_of, network_of
from site_app.http.context import AppContext
from site_app.leads.keep import SubmissionContext
from site_app.leads.spam_signals import spam_signals
from site_app.services.clock import SteadyClock
from site_app.services.mailboxes import mailbox_of
from site_app.services.page_views import ViewCounts
from site_app.services.tokens import Tokens
from site_app.services.upload_quota import UploadQuota
from site_app.store import Store


@dataclass(frozen=True)
class ApiContext(AppContext):
    """`pictures` runs one at a time, so that other files never wait for them; `wake` tells the courier that something was written."""

    clock: SteadyClock
    store: Store
    tokens: Tokens
    lookup: CountryLookup
    mail_domains: MailDomains
    uploads: UploadQuota
    pictures: Executor
    views: ViewCounts
    wake: Callable[[], None] = field(default=lambda: None)

    def submission_context(self) -> SubmissionContext:
        """What is known beside a submission that was taken before."""
        return SubmissionContext(self.settings, self.tokens, self.clock())

    def names_of(self, submission: Reachable) -> list[str]:
        """What a person is known by who sent this, as names that tell nobody who it is: a mail address and a form token."""
        return [self.tokens.alias(one) for one in (mailbox_of(submission.email), submission.token) if one]

    def network(self, request: Request) -> str:
        """Which network a request comes from, as a name that tells nobody which one."""
        return self.tokens.alias(network_of(address_of(request, self.settings)))

    async def submission_context_of(self, submission: Reachable, request: Request) -> SubmissionContext:
        """The same of one that comes in: what looks automatic about it, and whether its sender's domain takes mail."""
        takes_mail = not self.settings.check_email_domains or await self.mail_domains.takes_mail(submission.domain)
        signals = spam_signals(submission, self.tokens, self.settings.minimum_filling_time)
        return replace(
            self.submission_context(), spam_signals=signals, domain_takes_mail=takes_mail, network=self.network(request)
        )


def api_context_of(request: Request) -> ApiContext:
    return request.app.state.context

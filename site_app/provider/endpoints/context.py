"""What every call works with: one object, made at the start, closed at the end."""

from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.requests import Request

from site_app.contracts.submission import Reachable
from site_app.core.http.addresses import address_of, network_of
from site_app.core.http.context import AppContext
from site_app.provider.endpoints.mail_domains import MailDomains
from site_app.provider.endpoints.page_views import ViewCounts
from site_app.provider.endpoints.picture_queue import PictureQueue
from site_app.provider.endpoints.tokens import Tokens
from site_app.provider.endpoints.upload_quota import UploadQuota
from site_app.provider.endpoints.visitor_country import CountryLookup
from site_app.provider.store import Store
from site_app.provider.store.clock import SteadyClock
from site_app.provider.store.mailboxes import mailbox_of


@dataclass(frozen=True)
class ApiContext(AppContext):
    """`pictures` examines one picture at a time, in turns of the networks, so that other files never wait; `wake` tells the courier that mails were written."""

    clock: SteadyClock
    store: Store
    tokens: Tokens
    lookup: CountryLookup
    mail_domains: MailDomains
    uploads: UploadQuota
    pictures: PictureQueue
    views: ViewCounts
    wake: Callable[[], None] = field(default=lambda: None)

    def names_of(self, submission: Reachable) -> list[str]:
        """Pseudonyms of the sender: of their mail address and of their form token."""
        return [self.tokens.keyed_hash(one) for one in (mailbox_of(submission.email), submission.token) if one]

    def network(self, request: Request) -> str:
        """A pseudonym of the network that a request comes from."""
        return self.tokens.keyed_hash(network_of(address_of(request, self.settings)))


def api_context_of(request: Request) -> ApiContext:
    return request.app.state.context

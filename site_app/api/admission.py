"""Whether a request is taken now: counted before it is read, and given back where it has come to nothing."""

from starlette.requests import Request

from site_app.api.caller import address_of, neighbourhood
from site_app.api.errors import CallRefused
from site_app.api.office import Office
from site_app.contracts.submission import Reachable
from site_app.i18n import t, tn
from site_app.services.mailboxes import mailbox_of

_ONE_COUNT = ("submissions", "holds")  # of all ways together: calls, pages and socket


class Admission:
    """What one request has used up of its limits.

    A network is generous, since an office has one address; it counts garbage too. A person is one mail address or form token, and
    counts only what was taken, so that whoever corrects a form is not locked out. A failure of ours counts nowhere.
    """

    def __init__(self, office: Office, request: Request) -> None:
        self._office = office
        self._network = neighbourhood(address_of(request, office.settings))
        self._counted: list[tuple[str, ...]] = []

    async def network(self, group: str, call: str) -> None:
        """Count a call of the network's, or refuse it."""
        await self._count(group, self._network if group in _ONE_COUNT else f"{call} {self._network}")

    async def person(self, said: Reachable) -> None:
        """Count a submission of this mail address and this form token, or refuse it."""
        known_by = filter(None, (mailbox_of(said.email), said.token))
        await self._count("person", *map(self._office.tokens.alias, known_by))

    async def settle(self, status: int) -> None:
        """Give back what the answer of this status is not to count."""
        for group, *names in self._counted:
            if status >= 500 or (status >= 400 and group == "person"):
                await self._office.limits.give_back(group, *names)

    async def _count(self, group: str, *names: str) -> None:
        if seconds := await self._office.limits.wait(group, *names):
            raise CallRefused(429, "too_many", too_many(seconds, self._office.settings.brand_email), retry_after=seconds)
        self._counted.append((group, *names))


def too_many(seconds: int, email: str) -> str:
    """What to do about it: how long to wait, and where else to write."""
    minutes = -(-seconds // 60)
    wait = tn("a second", "{count} seconds", seconds) if seconds < 60 else tn("a minute", "{count} minutes", minutes)
    return t(
        "That’s a lot of requests at once. Nothing is lost: please try again in {wait}, or email {email}",
        wait=wait,
        email=email,
    )

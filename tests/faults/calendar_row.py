"""Row 27: one network asks for every time by every way there is, and one mail address from many networks; others still find theirs."""

import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from site_app.settings import Settings
from tests.browser.server import Site
from tests.builders import meeting
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, database
from tests.faults.wire import Wire, on_the_wire, packet

_CALLS, _HOLDS, _SEEN = 5, 3, 0.95
_SPELT = ("ada@gmail.com", "A.da@GMAIL.com", "ada+x@gmail.com", "ada@googlemail.com")
_SUBMIT = on_the_wire("site_app.forms.state.ConsultationState.submit")
Ask = Callable[[str], Awaitable[object]]


@dataclass
class _Share:
    """The most that was taken at any moment, the least that others saw then, and what each way got."""

    site: Site
    free: Callable[[], Awaitable[list[str]]]
    offered: int
    calls: int = 0
    holds: int = 0
    seen: float = 1.0
    got: Counter[str] = field(default_factory=Counter)

    async def ask(self, name: str, way: Ask, slot: str) -> None:
        before = _taken(self.site)
        await way(slot)
        calls, holds = _taken(self.site)
        self.got[name] += (calls, holds) > before
        self.calls, self.holds = max(self.calls, calls), max(self.holds, holds)
        self.seen = min(self.seen, len(await self.free()) / self.offered)


async def calendar_share(trial: Trial) -> Verdict:
    """The shares are those of a site that sets none; how often one may ask is not limited here, so that an hour is soon over."""
    usual = Settings()
    shares: Any = {"limit_calls": str(usual.limit_calls), "limit_open_holds": str(usual.limit_open_holds)}
    site = trial.site(trusted_proxies="127.0.0.1", **shares)
    relaying = trial.site(provider_url=f"http://127.0.0.1:{site.port}", **shares)
    wire = await Wire(site).connect()
    async with trial.client(site) as client, trial.client(relaying) as relayed:
        token = (await client.get("/v1.0/formToken")).json()["token"]
        share = _Share(site, lambda: _free(client), len(slots := await _free(client)))
        every = 8 if trial.short else 3
        for name, way in _holding(client, relayed).items():
            await share.ask(name, way, slots[2 * len(share.got)])
        for number, slot in enumerate(slots[16::every]):
            name, way = [*_holding(client, relayed).items()][number % 3]
            await share.ask(name, way, slot)
        for number, slot in enumerate(slots[18::every]):
            name, way = [*_booking(client, relayed, wire, token).items()][number % 4]
            await share.ask(name, way, slot)
        wire.close()
        before, _ = _taken(site)
        for number, slot in enumerate(slots[20 :: len(slots) // 20]):
            said = meeting(slot=slot, token=token, email=_SPELT[number % len(_SPELT)])
            await client.post("/v1.0/bookMeeting", json=said, headers={"X-Forwarded-For": f"198.51.100.{number}"})
        by_mail = _taken(site)[0] - before
    met = share.calls <= _CALLS and share.holds <= _HOLDS and share.seen >= _SEEN and by_mail == 1
    return Verdict(
        met and len(+share.got) == 7,
        f"one address in 7 ways: {share.calls} calls and {share.holds} holds at most ({dict(share.got)}), others see {share.seen:.1%} of "
        f"{share.offered} slots at least; one mail address in {len(_SPELT)} spellings from 20 networks: {by_mail} call",
    )


def _holding(client: httpx.AsyncClient, relayed: httpx.AsyncClient) -> dict[str, Ask]:
    return {
        "hold by call": lambda slot: client.post("/v1.0/holdSlot", json={"slot": slot}),
        "hold by page": lambda slot: client.post("/book", data={"slot": slot}),
        "hold by relay": lambda slot: relayed.post("/v1.0/holdSlot", json={"slot": slot}),
    }


def _booking(client: httpx.AsyncClient, relayed: httpx.AsyncClient, wire: Wire, token: str) -> dict[str, Ask]:
    async def page(slot: str) -> None:
        who = {"full_name": "Ada Lovelace", "email": f"{uuid.uuid4().hex[:8]}@example.com"}
        form = {"do": "book", "slot": slot, "key": uuid.uuid4().hex, "token": token, **who}
        await client.post(f"/book/details?slot={slot}", data=form)

    async def socket(slot: str) -> None:
        said = meeting(slot=slot, token=token)
        key = said.pop("key")
        wire.send(packet(_SUBMIT, {"fields": said, "key": key, "attempt": 1}))
        while key not in await wire.receive():
            pass

    return {
        "booking by call": lambda slot: client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token)),
        "booking by page": page,
        "booking by relay": lambda slot: relayed.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token)),
        "booking by socket": socket,
    }


async def _free(client: httpx.AsyncClient) -> list[str]:
    answer = await client.post("/v1.0/meetingSlots", json={}, headers={"X-Forwarded-For": "203.0.113.1"})
    return [slot["id"] for slot in answer.json()["results"]]


def _taken(site: Site) -> tuple[int, int]:
    """Calls to come and open holds there are."""
    with database(site) as rows:
        calls = rows.execute("SELECT count(*) FROM meeting WHERE state = 'booked'").fetchone()[0]
        return calls, rows.execute("SELECT count(DISTINCT hold_id) FROM booking_cell WHERE hold_id IS NOT NULL").fetchone()[0]

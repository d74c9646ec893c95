"""Rows 27 and 28: what one visitor may take of the calendar, and of a stranger's mailbox."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx

from site_app.services.mailboxes import mailbox_of
from tests.browser.server import Site
from tests.builders import SUBMISSIONS, meeting
from tests.faults.errands import MANY_SLOTS
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, database, until
from tests.faults.wire import Wire, on_the_wire, packet

_CALLS, _HOLDS, _MAILS = 5, 3, 2
_BOOK = on_the_wire("site_app.forms.consultation.state.ConsultationState.submit")
_WORDS = "buy-pills-at-pills"
_FREE_TEXT = ("full_name", "first_name", "last_name", "company", "subject", "message", "project_description")
_FREE_TEXT += ("project_information", "additional_notes")


async def calendar_share(trial: Trial) -> Verdict:
    """One address asks for every slot by call, page and socket, as often as it likes; one mail address does from many networks."""
    site = trial.site(limit_calls=str(_CALLS), limit_open_holds=str(_HOLDS), trusted_proxies="127.0.0.1")
    async with trial.client(site, follow_redirects=False) as client:
        before = await _free(client)
        token = (await client.get("/v1.0/formToken")).json()["token"]
        slots = before[1 :: 8 if trial.short else 2]
        await _ask_by_socket(site, slots, token)
        by_socket = sum(_taken(site))
        for slot in slots:
            await client.post("/v1.0/holdSlot", json={"slot": slot})
            page = await client.post("/book", data={"slot": slot})
            await _book_on_page(client, page.headers.get("location", ""), slot, token)
            await client.post("/v1.0/bookMeeting", json=meeting(slot=slot, token=token))
        calls, holds = _taken(site)
        seen = len(await _free(client)) / len(before)
        spelt = ["ada@gmail.com", "A.da@GMAIL.com", "ada+x@gmail.com", "ada@googlemail.com"]
        for number, slot in enumerate(before[:: len(before) // 20]):
            said = meeting(slot=slot, token=token, email=spelt[number % len(spelt)])
            await client.post("/v1.0/bookMeeting", json=said, headers={"X-Forwarded-For": f"198.51.100.{number}"})
        by_mail = _taken(site)[0] - calls
    return Verdict(
        calls <= _CALLS and holds <= _HOLDS and seen >= 0.95 and by_mail <= 1 and by_socket > 0,
        f"{len(slots)} slots asked for in 3 ways: {calls} calls, {holds} holds of one address ({by_socket} by socket alone), others see {seen:.1%} of "
        f"{len(before)} slots; one mail address in {len(spelt)} spellings from 20 networks: {by_mail} call",
    )


async def _ask_by_socket(site: Site, slots: list[str], token: str) -> None:
    wire = await Wire(site).connect()
    for number, slot in enumerate(slots):
        said = {name: value for name, value in meeting(slot=slot, token=token).items() if name != "key"}
        wire.send(packet(_BOOK, {"said": said, "key": uuid.uuid4().hex, "attempt": number}))
        await asyncio.sleep(0.15)  # as fast as a socket may
    await wire.round_trip()
    await asyncio.sleep(1)
    wire.close()


async def relay(trial: Trial) -> Verdict:
    """Every form names strangers, in many spellings and from many networks, and calls are moved and cancelled again and again."""
    count = 120 if trial.short else 1000
    site = trial.site(trusted_proxies="127.0.0.1", **MANY_SLOTS)
    strangers = [f"stranger{number}@gmail.com" for number in range(4)]
    answered: Counter[int] = Counter()
    async with trial.client(site) as client:
        token = (await client.get("/v1.0/formToken")).json()["token"]
        slots = cycle(await _free(client))
        for number, (path, said) in zip(range(count), _submissions(strangers, slots, token), strict=False):
            headers = {"X-Forwarded-For": f"198.51.{number // 250}.{number % 250 + 1}"}
            answer = await client.post(path, json=said, headers=headers)
            answered[answer.status_code] += 1
            if "manage_url" in answer.text:
                await _change(client, answer.json(), slots)

    async def all_went() -> bool:
        with database(site) as rows:
            waiting = "SELECT count(*) FROM outbox WHERE mailbox <> '' AND status <> 'sent'"
            return rows.execute(waiting).fetchone()[0] == 0

    await until(all_went, seconds=120)
    mails = await asyncio.to_thread(_mails_to, set(map(mailbox_of, strangers)), site.var / "mail")
    most = max(Counter(mailbox for mailbox, _ in mails).values())
    with_words = sum(_WORDS in text for _, text in mails)
    with database(site) as rows:
        leads = rows.execute("SELECT count(*) FROM lead").fetchone()[0]
        told = rows.execute(
            "SELECT count(DISTINCT reference) FROM outbox WHERE template IN ('news', 'confirmation')"
        ).fetchone()[0]
    wanted = sum(1 for path in _paths(count) if path != "bookMeeting")
    return Verdict(
        most <= _MAILS and with_words == 0 and leads == told == wanted,
        f"{count} submissions naming {len(strangers)} strangers ({dict(answered)}), each call moved and cancelled: at most {most} "
        f"mails to one of them, {with_words} with the sender's words; {leads} of {wanted} leads kept, all with an outbox row",
    )


def _paths(count: int) -> Iterator[str]:
    return (call for _, call in zip(range(count), cycle(SUBMISSIONS), strict=False))


def _submissions(strangers: list[str], slots: Iterator[str], token: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, call in enumerate(cycle(SUBMISSIONS)):
        _, build = SUBMISSIONS[call]
        local, domain = strangers[number // 4 % len(strangers)].split("@")
        said = build(token=token, email=f"{local[:3]}.{local[3:]}+{number}@{domain}")
        said |= {name: f"{_WORDS} {number}"[:50] for name in _FREE_TEXT if name in said}
        yield f"/v1.0/{call}", said | ({"slot": next(slots)} if call == "bookMeeting" else {})


async def _change(client: httpx.AsyncClient, call: dict[str, Any], slots: Iterator[str]) -> None:
    page = "/meetings/" + call["manage_url"].rpartition("/")[2]
    for _ in range(3):
        await client.post(f"{page}/move", data={"slot": next(slots)})
    await client.post(page, data={"do": "cancel"})


async def _free(client: httpx.AsyncClient) -> list[str]:
    return [slot["id"] for slot in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]]


async def _book_on_page(client: httpx.AsyncClient, address: str, slot: str, token: str) -> None:
    if address:
        who = {"full_name": "Ada Lovelace", "email": f"{uuid.uuid4().hex[:8]}@example.com"}
        form = {"do": "book", "slot": slot, "key": uuid.uuid4().hex, "token": token, **who}
        await client.post(address, data=form)


def _taken(site: Site) -> tuple[int, int]:
    """Calls to come and open holds there are."""
    with database(site) as rows:
        calls = rows.execute("SELECT count(*) FROM meeting WHERE state = 'booked'").fetchone()[0]
        return calls, rows.execute("SELECT count(DISTINCT hold_id) FROM booking_cell WHERE hold_id IS NOT NULL").fetchone()[0]


def _mails_to(mailboxes: set[str], folder: Path) -> list[tuple[str, str]]:
    """The mailbox and all the text of each mail to one of them."""
    mails = (message_from_bytes(file.read_bytes(), policy=policy.default) for file in folder.glob("*.eml"))
    found = ((mailbox_of(mail["To"].addresses[0].addr_spec), mail) for mail in mails)  # pyright: ignore[reportArgumentType]
    return [(mailbox, _text(mail)) for mailbox, mail in found if mailbox in mailboxes]  # pyright: ignore[reportArgumentType]


def _text(mail: EmailMessage) -> str:
    parts = [str(mail[name]) for name in mail if name != "To"]
    parts += [part.get_payload(decode=True).decode(errors="replace") for part in mail.walk() if not part.is_multipart()]  # pyright: ignore
    return " ".join(parts)

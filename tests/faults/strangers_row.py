"""Row 28: forms name strangers, in many spellings and from many networks; the site is no way to fill or to write into their mailboxes."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import httpx

from site_app.services.mailboxes import mailbox_of
from tests.builders import SUBMISSIONS
from tests.faults.errands import MANY_SLOTS
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, database, until

_MAILS = 2
_STRANGERS = [f"stranger{number}@gmail.com" for number in range(4)]
_WORDS = "buy-pills-at-pills"
_FREE_TEXT = ("full_name", "first_name", "last_name", "company", "subject", "message", "project_description")
_FREE_TEXT += ("project_information", "additional_notes")


async def no_relay(trial: Trial) -> Verdict:
    """Every third lead looks automatic, so that it must be confirmed; each call is moved and cancelled by the link that was answered."""
    count = 120 if trial.short else 1000
    site = trial.site(trusted_proxies="127.0.0.1", **MANY_SLOTS)
    answered: Counter[int] = Counter()
    async with trial.client(site) as client:
        token = (await client.get("/v1.0/formToken")).json()["token"]
        slots = cycle([slot["id"] for slot in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]])
        sent = list(islice(_submissions(slots, token), count))
        for number, (call, said) in enumerate(sent):
            headers = {"X-Forwarded-For": f"198.51.{number // 250}.{number % 250 + 1}"}
            answer = await client.post(f"/v1.0/{call}", json=said, headers=headers)
            answered[answer.status_code] += 1
            if "manage_url" in answer.text:
                await _change(client, answer.json()["manage_url"], slots)

    def ask(query: str) -> int:
        with database(site) as rows:
            return rows.execute(query).fetchone()[0]

    async def all_went() -> bool:
        return not ask("SELECT count(*) FROM outbox WHERE status IN ('waiting', 'sending')")

    await until(all_went, seconds=60 + count)
    mails = await asyncio.to_thread(_mails_to_strangers, site.var / "mail")
    most = max(Counter(mailbox for mailbox, _ in mails).values(), default=0)
    with_words = sum(_WORDS in text for _, text in mails)
    leads = ask("SELECT count(*) FROM lead")
    told = ask("SELECT count(DISTINCT reference) FROM outbox WHERE template IN ('news', 'confirmation')")
    wanted = sum(call != "bookMeeting" for call, _ in sent)
    return Verdict(
        0 < most <= _MAILS and with_words == 0 and leads == told == wanted,
        f"{count} submissions naming {len(_STRANGERS)} strangers ({dict(answered)}), each call moved and cancelled: at most {most} "
        f"mails to one of them, {with_words} with the sender's words; {leads} of {wanted} leads kept, {told} with an outbox row",
    )


def _submissions(slots: Iterator[str], token: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, call in enumerate(cycle(SUBMISSIONS)):
        _, build = SUBMISSIONS[call]
        local, domain = _STRANGERS[number // 4 % len(_STRANGERS)].split("@")
        said = build(token=token, email=f"{local[:3]}.{local[3:]}+{number}@{domain}")
        said |= {name: f"{_WORDS} {number}" for name in _FREE_TEXT if name in said}
        if call == "bookMeeting":
            said["slot"] = next(slots)
        elif number % 3 == 0:
            del said["token"]
        yield call, said


async def _change(client: httpx.AsyncClient, manage_url: str, slots: Iterator[str]) -> None:
    page = httpx.URL(manage_url).path
    for _ in range(3):
        await client.post(f"{page}/move", data={"slot": next(slots)})
    cancelled = await client.post(page, data={"do": "cancel"})
    assert "done=cancelled" in cancelled.headers.get("Location", ""), cancelled.status_code


def _mails_to_strangers(folder: Path) -> list[tuple[str, str]]:
    """The mailbox and all the text of each mail to one of them."""
    mails = (message_from_bytes(file.read_bytes(), policy=policy.default) for file in folder.glob("*.eml"))
    found = ((mailbox_of(mail["To"].addresses[0].addr_spec), mail) for mail in mails)  # pyright: ignore[reportArgumentType]
    return [(mailbox, _text(mail)) for mailbox, mail in found if mailbox in _STRANGERS]  # pyright: ignore[reportArgumentType]


def _text(mail: EmailMessage) -> str:
    parts = [str(mail[name]) for name in mail if name != "To"]
    parts += [part.get_payload(decode=True).decode(errors="replace") for part in mail.walk() if not part.is_multipart()]  # pyright: ignore
    return " ".join(parts)

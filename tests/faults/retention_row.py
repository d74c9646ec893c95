"""Row 22: what is past its time goes, and what its sender asks to have erased."""

import asyncio
import subprocess
import sys
import uuid
from contextlib import closing
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, SQLModel, func, select

from site_app.api.sweeping import sweep_once
from site_app.services.clock import LONGEST_STEP
from site_app.settings import Settings
from site_app.store import Store
from site_app.store.tables import BusyTime, CalendarReading, ClockReading
from site_app.store.tables.outbox import SENDING, WAITING
from tests.browser.server import ROOT, Site, environment
from tests.builders import affiliate, message, quote
from tests.faults.scorecard import Verdict
from tests.faults.secrecy_row import files_with
from tests.faults.trial import Trial, count, database, until

# all there are, but what has no visitor in it: the host's own busy times, when his calendar was read, when the last sweep was
_OURS = {BusyTime.__tablename__, CalendarReading.__tablename__, ClockReading.__tablename__}
_TABLES = [table for table in SQLModel.metadata.sorted_tables if table.name not in _OURS]


async def data_goes(trial: Trial) -> Verdict:
    site = trial.site()
    one, two, other = (f"canary{uuid.uuid4().hex[:12]}" for _ in range(3))
    references = [await _everything(trial, site, word) for word in (one, two, other)]
    await _mails_are_out(site)
    await asyncio.to_thread(site.stop)
    for reference in references[0]:
        await _erase(site, reference, "--yes")
    await _erase(site, "--email", f"{two}@example.net", "--yes")
    left = files_with(site.var, [one, two])
    kept = bool(files_with(site.var, [other]))
    found = await asyncio.to_thread(_sweep_in_three_years, site)
    left_later = files_with(site.var, [other])
    return Verdict(
        not left and kept and found == (0, 0) and not left_later,
        f"{len(references[0])} leads erased by reference and {len(references[1])} by address: their words left in {left or 'no file'}; "
        f"after three years {found[0]} rows and {found[1]} files, words left in {left_later or 'no file'}",
    )


async def _everything(trial: Trial, site: Site, word: str) -> list[str]:
    """A quote with a file, a message, an application and a call, all of one person."""
    email = f"{word}@example.net"
    async with trial.client(site) as client:
        file = await client.post("/v1.0/attachments", files={"file": (f"{word}.txt", f"brief of {word}".encode())})
        token = (await client.get("/v1.0/formToken")).json()["token"]
        slots = (await client.post("/v1.0/meetingSlots", json={})).json()["results"]
        call = {
            "key": str(uuid.uuid4()), "email": email, "full_name": f"Ada {word}", "time_zone": "Europe/London",
            "project_information": f"about {word}", "token": token, "slot": slots[len(slots) // 2]["id"],
        }  # fmt: skip
        said = {
            "requestQuote": quote(token=token, email=email, additional_notes=word, attachments=[file.json()["id"]]),
            "sendMessage": message(token=token, email=email, message=f"Hello, this is {word}."),
            "submitAffiliateRequest": affiliate(token=token, email=email, company=word),
            "bookMeeting": call,
        }
        answers = [await client.post(f"/v1.0/{form}", json=body) for form, body in said.items()]
    refused = [answer.text for answer in answers if not answer.is_success]
    assert not refused, refused
    return [answer.json()["reference"] for answer in answers]


async def _mails_are_out(site: Site) -> None:
    """Written or withheld: of one person's mails a day's share leaves."""

    def written() -> bool:
        with closing(database(site)) as rows:
            waiting = rows.execute("SELECT count(*) FROM outbox WHERE status IN (?, ?)", (WAITING, SENDING)).fetchone()
        return waiting == (0,) and count(site.var / "mail", "*.eml") > 0

    await until(lambda: asyncio.to_thread(written), seconds=30)


async def _erase(site: Site, *arguments: str) -> None:
    command = [sys.executable, "-m", "site_app", "leads", "erase", *arguments]
    own = environment({"SITE_VAR": str(site.var)})
    done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def _sweep_in_three_years(site: Site) -> tuple[int, int]:
    """The rows and files left when it sweeps through three years; at once they would be taken for a wrong clock."""
    store = Store(f"sqlite:///{site.var / 'site.db'}")
    now = datetime.now(UTC)

    def counted(session: Session) -> int:
        return sum(session.exec(select(func.count()).select_from(table)).one() for table in _TABLES)

    async def sweep() -> int:
        for days in range(0, 3 * 365, LONGEST_STEP.days):
            await sweep_once(store, Settings(var=site.var), now + timedelta(days=days))
        return await store.read(counted)

    try:
        rows = asyncio.run(sweep())
    finally:
        store.close()
    files = [file for folder in ("attachments", "mail") for file in (site.var / folder).glob("*") if file.is_file()]
    return rows, len(files)

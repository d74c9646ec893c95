"""Visitors' words never reach the log, whatever their way into the site and their outcome."""

import asyncio
import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from itertools import dropwhile, product
from typing import Any

import httpx

from site_app.forms.form import FORMS
from tests.support.builders import SUBMISSIONS, message
from tests.support.site_server import Site
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, database, log_of, until
from tests.trials.lab.wire import DIALOG, FAQ, HYDRATE, STATE, Refused, Wire, event, on_the_wire, packet

_SUBMITS = [on_the_wire(f"{form.state.__module__}.{form.state.__name__}.submit") for form in FORMS.values()]
# free-text fields; tests/unit/repository/test_forms.py checks every form's fields
_FIXED = {"key", "email", "phone", "country", "currency", "company_website", "slot", "time_zone", "agreed_terms_version"}


class Canaries:
    """Random words, new for each place."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def __call__(self) -> str:
        self.made.append(f"canary{uuid.uuid4().hex[:12]}")
        return self.made[-1]

    def found_in(self, text: str) -> list[str]:
        return [mark for mark in self.made if mark in text]


async def secrecy(trial: Trial) -> Verdict:
    # The mail server is down and the database is locked for a while: failures log the most.
    site = trial.site(mail_transport="smtp", smtp_port="9", smtp_security="none", log_level="debug")
    canary = Canaries()
    async with trial.client(site) as client:
        for form, (_, build) in SUBMISSIONS.items():
            await _send(client, form, build, canary)
        await _ask(client, canary)
        writer = database(site)
        writer.isolation_level = None
        writer.execute("BEGIN IMMEDIATE")
        await client.post("/v1.0/sendMessage", json=message(full_name=f"Ada {canary()}"))
        writer.execute("ROLLBACK")
        writer.close()
    token = str(uuid.uuid4())
    await _submit(site, canary, token)
    exposed = canary.found_in(await _shown_to(site, token))
    await _speak(site, canary, token)

    async def mail_was_tried() -> bool:
        return "outbox.delayed" in await asyncio.to_thread(log_of, site)

    await until(mail_was_tried, seconds=20)
    await asyncio.to_thread(site.stop)
    logged = await asyncio.to_thread(log_of, site)
    leaks = [*canary.found_in(logged), *(mark for mark in (token, "127.0.0.1:", "ada@example") if mark in logged)]
    # The command prints its start in plain words before the log exists; every later line is JSON.
    log_lines = dropwhile(lambda line: not line.startswith("{"), logged.splitlines())
    lines = [json.loads(line) for line in log_lines]
    return Verdict(
        not leaks and not exposed and len(canary.made) >= 50,
        f"{len(canary.made)} canaries, a token, an address: {len(leaks)} found in {len(lines)} log lines {leaks[:3] or ''}; "
        f"{len(exposed)} in what a departed visitor's token shows",
    )


async def _send(client: httpx.AsyncClient, form: str, build: Callable[..., dict[str, Any]], canary: Canaries) -> None:
    good = build(email=f"{canary()}@example.net")
    payload = good | {name: f"{text} {canary()}" for name, text in good.items() if isinstance(text, str) and name not in _FIXED}
    await client.post(f"/v1.0/{form}", json=payload)
    await client.post(f"/v1.0/{form}", json=payload | {"email": canary(), canary(): canary(), "phone": canary()})
    await client.post(f"/v1.0/{form}", content=f'{{"{canary()}')
    await client.post(
        f"/v1.0/{form}?{canary()}={canary()}", json=payload, headers={"X-API-Key": canary(), "X-Request-ID": canary()}
    )


async def _ask(client: httpx.AsyncClient, canary: Canaries) -> None:
    headers = {"User-Agent": canary(), "Referer": f"http://{canary()}.example/", "Cookie": f"lang={canary()}"}
    for path in ("/", f"/{canary()}", f"/assets/{canary()}.js", f"/faq?{canary()}={canary()}", f"/v1.0/{canary()}"):
        await client.get(path, headers=headers)
    for path in (f"/meetings/{canary()}", f"/confirm/{canary()}", f"/book?slot={canary()}", f"/v1.0/visitorCountry?{canary()}"):
        await client.get(path)
        await client.post(path, data={"note": canary()})
    await client.post("/v1.0/attachments", files={"file": (f"{canary()}.txt", canary().encode())})
    await client.post("/v1.0/attachments", files={"file": (f"{canary()}.exe", canary().encode())})
    await client.post("/v1.0/pageView", json={"path": f"/{canary()}", "referrer": f"http://{canary()}.example"})


async def _submit(site: Site, canary: Canaries, token: str) -> None:
    """Sends every form over the socket, as its page does and with another form's fields, then disconnects."""
    wire = await Wire(site, token=token).connect()
    for submit, (_, build) in product(_SUBMITS, SUBMISSIONS.values()):
        payloads = {
            name: f"{text} {canary()}" if name not in _FIXED and isinstance(text, str) else text
            for name, text in build().items()
            if name != "key"
        }
        wire.send(packet(submit, {"fields": payloads, "key": uuid.uuid4().hex, "attempt": 1}))
        state = submit.split(".")[-2]
        async with asyncio.timeout(10):
            while state not in await wire.receive():
                pass
    wire.close()


async def _shown_to(site: Site, token: str) -> str:
    """Returns everything that a browser with this token receives."""
    wire, received = await Wire(site, token=token).connect(), ""
    with suppress(TimeoutError):
        async with asyncio.timeout(2):
            while True:
                received += await wire.receive()
    wire.close()
    assert "message_state" in received, "nothing was shown again: this shows nothing"
    return received


async def _speak(site: Site, canary: Canaries, token: str) -> None:
    failed = f"{STATE}.reflex___state____frontend_event_exception_state.handle_frontend_exception"
    wire = await Wire(site, token=token).connect()
    wire.send(packet(f"{DIALOG}.report", {"name": canary(), "seq": 1}))
    wire.send(packet(f"{FAQ}.report", {"category": canary(), "question": canary(), "seq": 1}))
    wire.send(packet(failed, {"info": f"TypeError: {canary()}\n at {canary()}", "component_stack": canary()}))
    wire.send("42/_event," + json.dumps(["client_error", {"message": canary(), "error_type": canary()}]))
    wire.send("42/_event," + json.dumps(["event", event(HYDRATE) | {"router_data": {"pathname": f"/{canary()}"}}]))
    await wire.round_trip()
    for frame in (canary(), packet(canary()), packet(f"{DIALOG}.report", {canary(): canary()}), f'42/_event,["{canary()}"'):
        wire.send(frame)
        await wire.is_closed(5)
        wire.close()
        wire = await Wire(site, token=token).connect()
    wire.close()
    stale = await Wire(site).open()
    stale.send("40/_event," + json.dumps({"event": event(HYDRATE), "state_schema": canary()}))
    await stale.is_closed(1)
    stale.close()
    with suppress(Refused):
        await Wire(site, token=canary(), origin=f"http://{canary()}.example").open()

"""Failing remote services cause a fallback or a clear refusal in time, and cannot lead us into a private network."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import brotli
import httpx

from site_app.core.settings import Settings
from site_app.provider.booking.busy import calendar_warnings
from site_app.provider.booking.calendar_reading import read_all
from site_app.provider.outbox.public_addresses import IpAddress
from site_app.provider.outbox.targets import Webhook
from site_app.provider.outbox.transports import NotDelivered
from site_app.provider.store import Store
from site_app.provider.store.migration import upgrade
from site_app.provider.store.tables import Outbox
from tests.support.builders import message
from tests.trials.attacks.tls import made_for
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial, memory_mb, tracebacks

Answer = Callable[[asyncio.StreamWriter], Coroutine[Any, Any, None]]
OK = b"HTTP/1.1 200 OK\r\n"
_BOMB = brotli.compress(b"0" * 2**28, quality=1)  # 256 MB of zero bytes


async def no_answer(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def _drip(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 400\r\n\r\n")
    for _ in range(100):
        writer.write(b"1")
        await writer.drain()
        await asyncio.sleep(0.3)


async def _flood(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 10485760\r\n\r\n")
    for _ in range(160):
        writer.write(b"x" * 65536)
        await writer.drain()


async def _endless(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"4\r\nmore\r\n" * 1000)
        await writer.drain()


def replies_with(answer: bytes) -> Answer:
    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return reply


def faults(private: int) -> dict[str, Answer]:
    redirect = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{private}/secret\r\nContent-Length: 0\r\n\r\n"
    return {
        "time-out": no_answer,
        "5xx": replies_with(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"),
        "garbage": replies_with(b"\x00\xff not HTTP at all\r\n\r\n"),
        "nonsense": replies_with(OK + b"Content-Length: 6\r\n\r\n1;!!;x"),
        "broken gzip": replies_with(OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"),
        "bomb": replies_with(OK + b"Content-Encoding: br\r\nContent-Length: %d\r\n\r\n" % len(_BOMB) + _BOMB),
        "no end": _endless,
        "10 MB": _flood,
        "drip": _drip,
        "redirect to a private address": replies_with(redirect.encode()),
        "hang up": replies_with(b""),
    }


@asynccontextmanager
async def bad_server(
    answer: Callable[[], Answer], calls: list[bytes], *, secure: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Answers every request that way and records its first line; yields the port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(await reader.readline())
        try:
            await answer()(writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=secure)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


_PRIVATE = (
    "127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "0.0.0.0", "localhost", "1.1.1.1@10.0.0.1",
)  # fmt: skip
# Their limits are 5, 8 and 10; the first is shorter than the browser's patience, the others run in the background.
_PROVIDER_SECONDS, _WEBHOOK_SECONDS, _CALENDAR_SECONDS = 6, 10, 12
_STRANGE = {b"Accept-Language": "th,字".encode()}
# a reply of 200 counts as accepted, whatever its body
_ACCEPTED = {"nonsense", "broken gzip", "bomb", "no end", "10 MB", "drip"}
_SLOW = ("time-out", "drip")  # in the short form only where a visitor waits
_MAX_MEMORY_MB = 50  # for bombs and endless replies


async def outside_faults(trial: Trial) -> Verdict:
    verdicts = [await _country(trial), await _provider(trial), await _calendar(trial), await _webhook(trial)]
    return Verdict(all(verdict.met for verdict in verdicts), "; ".join(verdict.figure for verdict in verdicts))


async def _country(trial: Trial) -> Verdict:
    inner: list[bytes] = []
    requests: list[bytes] = []
    current: list[Answer] = [no_answer]
    slowest, statuses, guesses = 0.0, set[int](), set[str]()
    async with bad_server(lambda: replies_with(b""), inner) as private, bad_server(lambda: current[0], requests) as port:
        site = trial.site(country_lookup_url=f"http://127.0.0.1:{port}/{{address}}", trusted_proxies="127.0.0.1")
        initial_mb = memory_mb(site)
        async with trial.client(site) as client:
            for number, answer in enumerate(faults(private).values(), start=1):
                current[0] = answer
                began = time.monotonic()
                response = await client.get("/v1.0/visitorCountry", headers={"X-Forwarded-For": f"81.2.{number}.1"})
                slowest = max(slowest, time.monotonic() - began)
                statuses.add(response.status_code)
                guesses.add(response.text[:1])
            for address in _PRIVATE:
                await client.get("/v1.0/visitorCountry", headers={"X-Forwarded-For": address})
        grown = memory_mb(site) - initial_mb
    contacted = len(faults(private))
    met = len(requests) == contacted and slowest <= 2 and not inner and max(statuses) < 500 and "1" not in guesses
    return Verdict(
        met and tracebacks(site) == 0 and grown <= _MAX_MEMORY_MB,
        f"{contacted} faults of the country service: fallback after {slowest:.2f} s at the slowest, statuses {sorted(statuses)}, memory {grown:+.0f} MB, "
        f"{len(inner)} calls to the private address, {len(requests) - contacted} look-ups of private visitors",
    )


async def _provider(trial: Trial) -> Verdict:
    """A remote provider: a submission is refused in time and clearly, and the pages are unaffected."""
    inner: list[bytes] = []
    current: list[Answer] = [replies_with(b"")]
    slowest, slowest_page, statuses, grown = 0.0, 0.0, dict[str, int](), 0.0
    async with bad_server(lambda: replies_with(b""), inner) as private, bad_server(lambda: current[0], []) as port:
        site = trial.site(provider_url=f"http://127.0.0.1:{port}")
        initial_mb = memory_mb(site)
        async with trial.client(site) as client:
            for name, answer in faults(private).items():
                current[0] = answer
                began = time.monotonic()
                sending = asyncio.create_task(client.post("/v1.0/sendMessage", json=message()))
                page = await client.get("/faq")
                slowest_page = max(slowest_page, time.monotonic() - began if page.status_code == 200 else 99)
                statuses[name] = (await sending).status_code
                slowest = max(slowest, time.monotonic() - began)
                grown = max(grown, memory_mb(site) - initial_mb)
            odd = [await client.get(f"/v1.0/{path}", headers=_STRANGE) for path in ("%00", "%0a", "a%3Fb", "%ff")]
    unexpected = [name for name, status in statuses.items() if status != (200 if name in _ACCEPTED else 503)]
    met = not unexpected and slowest <= _PROVIDER_SECONDS and slowest_page <= 2 and not inner and grown <= _MAX_MEMORY_MB
    strange = max(response.status_code for response in odd)
    return Verdict(
        met and tracebacks(site) == 0 and strange in (200, 404, 503),
        f"{len(statuses)} of a provider elsewhere: {', '.join(unexpected) or 'none'} taken or refused wrongly, after {slowest:.1f} s at the slowest, pages meanwhile {slowest_page:.2f} s, "
        f"memory {grown:+.0f} MB, {len(inner)} calls to the private address, {tracebacks(site)} tracebacks",
    )


async def _calendar(trial: Trial) -> Verdict:
    """The host's calendar, read in the background: known times stay, and the reading ends."""
    inner: list[bytes] = []
    current: list[Answer] = [no_answer]
    url = f"sqlite:///{trial.folder / 'calendar.db'}"
    await asyncio.to_thread(upgrade, url)
    store, slowest, noted = Store(url), 0.0, 0
    settings = replace(Settings(), booking_busy_url=("https://calendar.test/host.ics",))
    async with bad_server(lambda: replies_with(b""), inner) as private, bad_server(lambda: current[0], []) as port:
        answers = _patiently(trial, private)
        for answer in answers.values():
            current[0] = answer
            began = time.monotonic()
            await read_all(store, settings, datetime.now(UTC), transport=_LocalTransport(port))
            slowest = max(slowest, time.monotonic() - began)
            noted += bool(await store.read(lambda session: calendar_warnings(session, settings)))
    store.close()
    return Verdict(
        noted == len(answers) and slowest <= _CALENDAR_SECONDS and not inner,
        f"{len(answers)} of the host's calendar: {noted} told to the operator, given up after {slowest:.1f} s at the slowest, {len(inner)} calls to the private address",
    )


async def _webhook(trial: Trial) -> Verdict:
    """The receiver of webhooks: a refused event is retried later, and never sent to another address."""
    inner: list[bytes] = []
    current: list[Answer] = [no_answer]
    slowest, delayed = 0.0, list[str]()
    certificate, key = made_for("crm.test", trial.folder)
    secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    secure.load_cert_chain(certificate, key)
    async with (
        bad_server(lambda: replies_with(b""), inner) as private,
        bad_server(lambda: current[0], [], secure=secure) as port,
    ):
        answers = _patiently(trial, private)
        for name, answer in answers.items():
            current[0] = answer
            began = time.monotonic()
            delivered = await _delivered(f"https://crm.test:{port}/", certificate)
            slowest = max(slowest, time.monotonic() - began)
            if delivered != (name in _ACCEPTED):
                delayed.append(name)
    looked = [
        await _delivered(f"https://{f'[{address}]' if ':' in address else address}:{private}/", certificate, resolved=False)
        for address in _PRIVATE
    ]
    return Verdict(
        not delayed and slowest <= _WEBHOOK_SECONDS and not inner and not any(looked),
        f"{len(answers)} of a webhook's receiver: {', '.join(delayed) or 'none'} taken wrongly, {slowest:.1f} s at the slowest, {len(inner)} calls to the private address",
    )


def _patiently(trial: Trial, private: int) -> dict[str, Answer]:
    return {name: answer for name, answer in faults(private).items() if not trial.short or name not in _SLOW}


async def _delivered(url: str, certificate: Path, *, resolved: bool = True) -> bool:
    trust = ssl.create_default_context(cafile=str(certificate))
    free = {"resolve": _this_machine, "allowed": lambda _address: True} if resolved else {}
    row = Outbox(
        kind="webhook", message_id="M-1.lead.created", reference="M-1", template="lead.created", payload={}, recipient="",
        next_attempt_at=datetime.now(UTC), created_at=datetime.now(UTC),
    )  # fmt: skip
    try:
        await Webhook(url, "s" * 24, clock=lambda: datetime.now(UTC), trust=trust, **free).send(row)
    except NotDelivered:
        return False
    return True


async def _this_machine(_host: str, _port: int) -> list[IpAddress]:
    return [ip_address("127.0.0.1")]


class _LocalTransport(httpx.AsyncHTTPTransport):
    """Connects to a local port, without TLS."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        return await super().handle_async_request(request)

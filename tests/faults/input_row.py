"""Row 15: whatever is sent to the API, it answers, and nothing gets into the database that a contract forbids."""

import asyncio
import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode

from site_app.api.calls import CALLS
from site_app.contracts.meeting import MeetingRequest
from site_app.contracts.submission import Submission
from site_app.leads.kinds import KINDS
from tests.browser.server import Site
from tests.builders import SUBMISSIONS, message
from tests.faults.errands import KEPT, MANY_SLOTS
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, database, tracebacks

_ODD: list[Any] = [
    None, True, -1, 0, 1e308, 2**80, "", " ", "\x00", "\ud800", "\u202eevil", "a\r\nBcc: x@y.z", "=1+1", "' OR 1=1 --",
    "<script>alert(1)</script>", "{{7*7}}", "%s%n", "字" * 3000, "x" * 60_000, "a@b", "a@" + "b" * 250 + ".com", "javascript:alert(1)",
    "http://127.0.0.1/", "ZZ", "+0", "+44 20 7946 0958 ext. " + "9" * 40, "2030-02-30T25:61Z", "20300102T0930Z", [], ["web-development"] * 50,
    ["nonsense"], {}, {"a": {"b": []}}, [None], "99991231T2345Z", "00000000T0000Z", "0001-01-01", "9999-12-31", "Etc/GMT+12",
]  # fmt: skip
_SPOKEN_TO = [call for call in CALLS if call.method == "POST" and call.takes]
_PAGES = ("/contact-us", "/th/contact-us", "/book", "/insights/view")
_KINDS = ["application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data; boundary=x", ""]
CONTRACTS: dict[str, type[Submission]] = {**{kind.name: kind.contract for kind in KINDS}, "meeting": MeetingRequest}
_ALL_CHECKS: Any = list(HealthCheck)
_JSON, _TYPED = "application/json", "application/x-www-form-urlencoded"


def _request(dice: random.Random, slots: list[str], token: str) -> tuple[str, bytes, str]:
    """A path, body and type of content: a good one with some fields odd, or damaged as a whole."""
    if dice.random() < 0.1:
        said = {name: str(value) for name, value in _oddly(message() | {"slot": dice.choice(slots)}, dice).items()}
        return dice.choice(_PAGES), urlencode(said, errors="replace").encode(), _TYPED
    call = dice.choice(_SPOKEN_TO)
    said = _oddly(_good(call.name, list(call.takes.model_fields) if call.takes else [], dice, slots, token), dice)
    body = json.dumps(said).encode()
    if dice.random() < 0.15:
        damaged = bytearray(body)
        for _ in range(dice.randint(1, 6)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        body = bytes(damaged)
    return call.path, body, _JSON if dice.random() < 0.95 else dice.choice(_KINDS)


def _good(name: str, asked: list[str], dice: random.Random, slots: list[str], token: str) -> dict[str, Any]:
    if name not in SUBMISSIONS:
        known = {
            "slot": dice.choice(slots),
            "hold": uuid.uuid4().hex,
            "token": uuid.uuid4().hex,
            "first": "2030-01-01",
            "last": "2030-01-02",
        }
        return {field: known[field] for field in asked if field in known}
    _, build = SUBMISSIONS[name]
    said = build() | ({"token": token} if dice.random() < 0.9 else {})
    return said | {"slot": dice.choice(slots)} if "slot" in said else said


def _oddly(said: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    for _ in range(dice.randint(0, 3)):
        match dice.randint(0, 3):
            case 0:
                said.pop(dice.choice(list(said)), None) if said else None
            case 1:
                said[f"field{dice.randint(0, 9)}"] = dice.choice(_ODD)
            case _:
                said[dice.choice([*said, "company", "page", "language"])] = dice.choice(_ODD)
    return said


async def inputs(trial: Trial) -> Verdict:
    """Good payloads gone odd, for every call and every page that takes a form; then what Schemathesis reads out of the API's description."""
    wanted, examples = (1_500, 2) if trial.short else (20_000, 150)
    site = trial.site(**MANY_SLOTS)
    dice, tried = random.Random(15), 0
    statuses: Counter[int] = Counter()

    async def caller(slots: list[str], token: str) -> None:
        nonlocal tried
        async with trial.client(site) as client:
            while tried < wanted:
                tried += 1
                path, body, kind = _request(dice, slots, token)
                answer = await client.post(path, content=body, headers={"Content-Type": kind})
                statuses[answer.status_code] += 1

    async with trial.client(site) as client:
        slots = await _slots(client)
        token = (await client.get("/v1.0/formToken")).json()["token"]
    await asyncio.gather(*(caller(slots, token) for _ in range(8)))
    described = await asyncio.to_thread(_as_described, site, examples)
    statuses += described
    kept = list(_rows(site))
    invalid = sum(not _is_valid(row) for row in kept)
    broken, failed = tracebacks(site), sum(count for status, count in statuses.items() if status >= 500)
    return Verdict(
        failed == broken == invalid == 0 and {row["kind"] for row in kept} == {*CONTRACTS},
        f"{tried} odd inputs to {len(_SPOKEN_TO)} calls and {len(_PAGES)} pages, {described.total()} by Schemathesis to all {len(CALLS)} calls: "
        f"{failed} answers 5xx, {broken} tracebacks, {invalid} of {len(kept)} rows invalid; statuses {dict(sorted(statuses.items()))}",
    )


async def _slots(client: httpx.AsyncClient) -> list[str]:
    return [one["id"] for one in (await client.post("/v1.0/meetingSlots", json={})).json()["results"]]


def _as_described(site: Site, examples: int) -> Counter[int]:
    """The statuses of what the description allows, and of what it forbids."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{site.port}/v1.0/openapi.json")
    schema.config.update(base_url=f"http://127.0.0.1:{site.port}")
    seen: Counter[int] = Counter()
    for call in CALLS:
        can_be_wrong = call.takes or call.streams or "{" in call.path
        for mode in GenerationMode if can_be_wrong else (GenerationMode.POSITIVE,):
            strategy = schema[call.path][call.method].as_strategy(generation_mode=mode)

            @settings(
                max_examples=examples, deadline=None, database=None, derandomize=True,
                suppress_health_check=_ALL_CHECKS, phases=[Phase.generate],
            )  # fmt: skip
            @given(case=strategy)
            def ask(case: Case) -> None:
                seen[case.call(headers={"X-API-Key": "website"}).status_code] += 1

            ask()
    return seen


def _rows(site: Site) -> Iterator[dict[str, Any]]:
    with database(site) as rows:
        rows.row_factory = lambda cursor, row: dict(zip([one[0] for one in cursor.description], row, strict=True))
        for table in KEPT:
            for row in rows.execute(f"SELECT * FROM {table.__tablename__}").fetchall():
                yield {"kind": "meeting"} | row | json.loads(row.pop("said", "{}"))


def _is_valid(row: dict[str, Any]) -> bool:
    """Whether the row, sent again, would be taken by its contract."""
    contract = CONTRACTS[row["kind"]]
    said = {name: value for name, value in row.items() if name in contract.model_fields and value not in ("", None)}
    if "starts_at" in row:
        said["slot"] = f"{datetime.fromisoformat(row['starts_at']):%Y%m%dT%H%MZ}"
    try:
        contract.model_validate({"key": "0b5c8e2a-93d4-4c1f-8a67-5e2f1d3c4b5a", **said})
    except ValueError:
        return False
    return True

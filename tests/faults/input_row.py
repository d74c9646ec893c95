"""Row 15: whatever is sent to the API, it answers, and nothing gets into the database that a contract forbids."""

import asyncio
import json
import random
from typing import Any

from site_app.contracts.affiliate import AffiliateRequest
from site_app.contracts.message import Message
from site_app.contracts.quote import QuoteRequest
from tests.builders import affiliate, meeting, message, quote
from tests.faults.scorecard import Verdict
from tests.faults.trial import Trial, database, tracebacks

_ODD: list[Any] = [
    None, True, -1, 0, 1e308, 2**80, "", " ", "\x00", "\ud800", "\u202eevil", "a\r\nBcc: x@y.z", "=1+1", "' OR 1=1 --",
    "<script>alert(1)</script>", "{{7*7}}", "%s%n", "字" * 3000, "x" * 60_000, "a@b", "a@" + "b" * 250 + ".com", "javascript:alert(1)",
    "http://127.0.0.1/", "ZZ", "+0", "+44 20 7946 0958 ext. " + "9" * 40, "2030-02-30T25:61Z", "20300102T0930Z", [], ["web-development"] * 50,
    ["nonsense"], {}, {"a": {"b": []}}, [None],
]  # fmt: skip
_FORMS = {"requestQuote": quote, "sendMessage": message, "submitAffiliateRequest": affiliate, "bookMeeting": meeting}
_KINDS = ["application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data; boundary=x", ""]


def _request(dice: random.Random) -> tuple[str, bytes, str]:
    """A call's name, body and type of content: a good one with some fields odd, or damaged as a whole."""
    name = dice.choice([*_FORMS, "meetingSlots", "holdSlot"])
    said = _FORMS[name]() if name in _FORMS else {"id": "x"}
    for _ in range(dice.randint(0, 3)):
        match dice.randint(0, 3):
            case 0:
                said.pop(dice.choice(list(said)), None) if said else None
            case 1:
                said[f"field{dice.randint(0, 9)}"] = dice.choice(_ODD)
            case _:
                said[dice.choice([*said, "company", "page", "language"])] = dice.choice(_ODD)
    body = json.dumps(said).encode()
    if dice.random() < 0.15:
        damaged = bytearray(body)
        for _ in range(dice.randint(1, 6)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        body = bytes(damaged)
    return name, body, _KINDS[0] if dice.random() < 0.95 else dice.choice(_KINDS)


async def inputs(trial: Trial) -> Verdict:
    wanted = 1_500 if trial.short else 20_000
    site = trial.site()
    dice = random.Random(15)
    statuses: dict[int, int] = {}
    tried = 0

    async def caller() -> None:
        nonlocal tried
        async with trial.client(site) as client:
            while tried < wanted:
                tried += 1
                name, body, kind = _request(dice)
                answer = await client.post(f"/v1.0/{name}", content=body, headers={"Content-Type": kind})
                statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1

    await asyncio.gather(*(caller() for _ in range(8)))
    with database(site) as rows:
        rows.row_factory = lambda cursor, row: dict(zip([one[0] for one in cursor.description], row, strict=True))
        kept = rows.execute("SELECT * FROM inquiry").fetchall()
        applied = rows.execute("SELECT * FROM affiliate").fetchall()
    invalid = sum(not _is_valid(row) for row in (*kept, *applied))
    broken, failed = tracebacks(site), sum(count for status, count in statuses.items() if status >= 500)
    return Verdict(
        failed == broken == invalid == 0,
        f"{tried} inputs: {failed} answers 5xx, {broken} tracebacks, {invalid} of {len(kept) + len(applied)} rows invalid; "
        f"statuses {dict(sorted(statuses.items()))}",
    )


def _is_valid(row: dict[str, Any]) -> bool:
    """Whether the row, sent again, would be taken by its contract."""
    contract = {"quote": QuoteRequest, "message": Message}.get(row.get("kind", ""), AffiliateRequest)
    said = {name: value for name, value in row.items() if name in contract.model_fields and value not in ("", None)}
    if "services" in said:
        said["services"] = json.loads(said["services"])
    try:
        contract.model_validate({"key": "0b5c8e2a-93d4-4c1f-8a67-5e2f1d3c4b5a", **said})
    except ValueError:
        return False
    return True

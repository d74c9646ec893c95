"""Reads a stranger's calendar in a process of its own: a rule that never comes true takes half a minute, a file of them days.

`python -m site_app.services.booking.calendar_reader` is that process: the question on its stdin, the answer on its stdout.
"""

import asyncio
import json
import resource
import signal
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from site_app.services.booking.busy_spans import Span, UnreadableCalendar, busy_spans

LONGEST_SECONDS = 20  # 4 MB of ordinary events take 3.4 s
_MEMORY = 2**30  # and 150 MB
_ROOT = Path(__file__).parents[3]


async def read_busy_spans(
    ics: str,
    *,
    zone: ZoneInfo,
    first: datetime,
    last: datetime,
    ours: frozenset[str] = frozenset(),
    seconds: int = LONGEST_SECONDS,
) -> list[Span]:
    """As busy_spans, but certain to end: after so many seconds it raises UnreadableCalendar, and nothing of it runs on."""
    asked = {
        "ics": ics,
        "zone": zone.key,
        "first": first.isoformat(),
        "last": last.isoformat(),
        "ours": [*ours],
        "seconds": seconds,
    }
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", __name__, cwd=_ROOT, stdin=pipe, stdout=pipe)
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(json.dumps(asked).encode())
    except TimeoutError:
        raise UnreadableCalendar("it takes too long to read") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        raise UnreadableCalendar("reading it takes too much")
    match json.loads(answer):
        case {"spans": spans}:
            return [(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in spans]
        case {"problem": problem}:
            raise UnreadableCalendar(problem)
        case _:
            raise UnreadableCalendar("its reader gave no answer")


def answer_to(asked: dict[str, Any]) -> dict[str, Any]:
    """The spans of a question, or what is wrong with its calendar."""
    first, last = (datetime.fromisoformat(asked[name]) for name in ("first", "last"))
    try:
        spans = busy_spans(asked["ics"], zone=ZoneInfo(asked["zone"]), first=first, last=last, ours=frozenset(asked["ours"]))
    except UnreadableCalendar as error:
        return {"problem": str(error)}
    return {"spans": [(start.isoformat(), end.isoformat()) for start, end in spans]}


def main() -> None:
    asked = json.load(sys.stdin)
    signal.alarm(asked["seconds"])  # should the site itself be gone by then
    with suppress(ValueError, OSError):  # where the service manager forbids it, time alone is the bound
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        answer = answer_to(asked)
    except (MemoryError, RecursionError):
        sys.exit(1)
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()

"""What `doctor` says of the site: the command runs in a process of its own, because it waits for mail servers and others."""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_LONGEST_SECONDS, _LASTS_SECONDS = 60, 30.0
Finding = dict[str, str]
Doctor = Callable[[], Awaitable[list[Finding]]]


async def doctor() -> list[Finding]:
    """Every finding, with subject, state, says and mend."""
    command = (sys.executable, "-m", "site_app", "doctor", "--json")
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, cwd=_ROOT, stdin=nowhere, stdout=pipe, stderr=nowhere)
    try:
        async with asyncio.timeout(_LONGEST_SECONDS):
            answer, _ = await process.communicate()
        return json.loads(answer)
    except (TimeoutError, ValueError):
        return [{"subject": "doctor", "state": "wrong", "says": "It gave no answer.", "mend": "Start it in a shell."}]
    finally:
        with suppress(ProcessLookupError):
            process.kill()


class CachedFindings:
    """The findings, kept for half a minute; one process of the command runs at a time."""

    def __init__(self, look: Doctor) -> None:
        self._look, self._one_at_a_time = look, asyncio.Lock()
        self._found: list[Finding] = []
        self._at = -_LASTS_SECONDS

    async def findings(self) -> list[Finding]:
        async with self._one_at_a_time:
            if time.monotonic() - self._at >= _LASTS_SECONDS:
                self._found, self._at = await self._look(), time.monotonic()
        return self._found

"""A program of this project, run in a process of its own: what it says, while whoever asks is there to hear it."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from pathlib import Path

_ROOT = Path(__file__).parents[3]


async def answer_of(*module_and_arguments: str, seconds: float, question: bytes = b"") -> bytes:
    """What the module prints; nothing where it breaks off or takes too long. Its process ends with the one who asks."""
    command = (sys.executable, "-m", *module_and_arguments)
    process = await asyncio.create_subprocess_exec(*command, cwd=_ROOT, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(question)
        return answer
    except TimeoutError:
        return b""
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

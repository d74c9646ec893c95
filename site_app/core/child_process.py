"""Runs modules of the site in child processes."""

import asyncio
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress

from site_app.core import ROOT


async def run_module(*module_and_arguments: str, seconds: float, stdin: bytes = b"") -> bytes:
    """Runs a module in a child process and returns its output, or b"" if it times out or is killed, since its output may be incomplete.

    The child is killed if the caller is cancelled.
    """
    command = (sys.executable, "-m", *module_and_arguments)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate(stdin)
        return output if process.returncode is not None and process.returncode >= 0 else b""
    except TimeoutError:
        return b""
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def run_module_blocking(*module_and_arguments: str, seconds: float) -> "subprocess.CompletedProcess[bytes]":
    """Runs a module in a child process, for a thread that may wait. Raises subprocess.TimeoutExpired."""
    command = (sys.executable, "-m", *module_and_arguments)
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=seconds, check=False)  # noqa: S603

"""Runs a command with limits: `python -m site_app.provider.publishing.limited_process <command> …`, in a process group of its own.

The whole group is killed as soon as standard input ends: then the process that started this one has died, for whatever reason.
"""

import os
import resource
import signal
import subprocess
import sys
from threading import Thread

from site_app.core.process_limits import limit_this_process

MAX_CPU_SECONDS = 300  # of each process; a build takes a tenth of it
MAX_MEMORY_BYTES = 3 * 2**30  # of data of each process; a build needs a fifth of it
MAX_FILE_BYTES = 200 * 2**20
_NICENESS = 10  # visitors come first
_LIMITS = {
    resource.RLIMIT_CPU: MAX_CPU_SECONDS,
    resource.RLIMIT_DATA: MAX_MEMORY_BYTES,  # not of the address space, of which node reserves far more than it uses
    resource.RLIMIT_FSIZE: MAX_FILE_BYTES,
    resource.RLIMIT_CORE: 0,
}


def main() -> None:
    limit_this_process(_LIMITS, niceness=_NICENESS)
    Thread(target=_kill_group_at_end_of_input, daemon=True).start()
    sys.exit(_exit_code(subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, check=False).returncode))  # noqa: S603


def _kill_group_at_end_of_input() -> None:
    while os.read(0, 1024):
        pass
    os.killpg(0, signal.SIGKILL)


def _exit_code(returncode: int) -> int:
    """Returns the code as a shell does: 128 and the number of the signal that ended the command."""
    return 128 - returncode if returncode < 0 else returncode


if __name__ == "__main__":
    main()

"""Makes the virtual environment; runs on any Python, before anything is installed, and says in one sentence what is missing."""

import filecmp
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
LOCKS = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")  # each holds the one before it
NEEDED_PYTHON = (3, 11)
NEEDED_BYTES = 1_500_000_000  # packages, npm's packages and a build


def missing(version, free_bytes, system=os.name):
    """What keeps the site from being set up here, as a sentence; None when nothing does."""
    if system == "nt":
        return "On Windows the site runs under WSL, not natively: install it with `wsl --install`, and start make there."
    if tuple(version[:2]) < NEEDED_PYTHON:
        return "Python {}.{} or newer is needed, and this is {}.{}: install it, or name it with make PYTHON=/path/to/python.".format(
            *NEEDED_PYTHON, *version[:2]
        )
    if free_bytes < NEEDED_BYTES:
        return f"{NEEDED_BYTES / 1e9:.1f} GB of free disk are needed here, and there are {free_bytes / 1e9:.1f}: make room and start again."
    return None


def main(lock):
    if any(_same(os.path.join(ROOT, one), _installed(one)) for one in LOCKS[LOCKS.index(lock) :]):
        return
    problem = missing(sys.version_info, shutil.disk_usage(ROOT).free)
    if problem:
        sys.exit(problem)
    print("Installing Python packages into .venv (about a minute the first time) …", flush=True)
    python = os.path.join(VENV, "bin", "python")
    if not os.path.exists(python) and _failed([sys.executable, "-m", "venv", VENV]):
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit("Python's venv module does not work here: on Debian and Ubuntu, install the package python3-venv.")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if _failed([*pip, "install", "--require-hashes", "-r", os.path.join(ROOT, lock)]):  # pip itself is in the lock
        sys.exit("The Python packages could not be installed: see pip's message above (is the package index reachable?).")
    _failed([*pip, "uninstall", "--yes", "setuptools"])  # venv brought it: no package needs it, and no lock would renew it
    shutil.copyfile(os.path.join(ROOT, lock), _installed(lock))


def _installed(lock):
    """The copy that says which packages the environment has."""
    return os.path.join(VENV, "installed-" + lock)


def _same(one, other):
    return os.path.exists(other) and filecmp.cmp(one, other, shallow=False)


def _failed(command):
    return subprocess.call(command, cwd=ROOT) != 0


if __name__ == "__main__":
    main(sys.argv[1])

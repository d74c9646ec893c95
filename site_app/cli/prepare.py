"""Creates the virtual environment. Runs on any Python before anything is installed, and says in one sentence what is missing."""

import errno
import filecmp
import os
import re
import shutil
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
LOCKS = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")  # each contains the previous one
_PORTS_TRIED = 100
NEEDED_PYTHON = (3, 11)
NEEDED_BYTES = 1_500_000_000  # packages, npm's packages and a build


def missing(version, free_bytes, system=os.name):
    """Returns a sentence that says why the site cannot be set up here, or None."""
    if system == "nt":
        return "On Windows the site runs under WSL, not natively: install it with `wsl --install`, and start make there."
    if tuple(version[:2]) < NEEDED_PYTHON:
        return "Python {}.{} or newer is needed, and this is {}.{}: install it, or name it with make PYTHON=/path/to/python.".format(
            *NEEDED_PYTHON, *version[:2]
        )
    if free_bytes < NEEDED_BYTES:
        return f"{NEEDED_BYTES / 1e9:.1f} GB of free disk are needed here, and there are {free_bytes / 1e9:.1f}: make room and start again."
    return None


def main(lock, listens=False):
    """Installs the packages of the lock file unless they are installed. With `listens`, first exits if the site's port is taken."""
    if any(_same(os.path.join(ROOT, name), _installed(name)) for name in LOCKS[LOCKS.index(lock) :]):
        return
    problem = missing(sys.version_info, shutil.disk_usage(ROOT).free) or (listens and _port_problem())
    if problem:
        sys.exit(problem)
    print("Installing Python packages into .venv (about a minute the first time) …", flush=True)
    begun = time.time()
    python = os.path.join(VENV, "bin", "python")
    if not os.path.exists(python) and _failed([sys.executable, "-m", "venv", VENV]):
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit("Python's venv module does not work here: on Debian and Ubuntu, install the package python3-venv.")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    # The lock names every package, pip too. Without --no-deps, venv's older pip looks for what a package needs "with extras" (granian[reload])
    # beside the lock, takes a newer release than the locked one and refuses it for want of a hash.
    if _failed([*pip, "install", "--no-compile", "--no-deps", "--require-hashes", "-r", os.path.join(ROOT, lock)]):
        sys.exit("The Python packages could not be installed: see pip's message above (is the package index reachable?).")
    _compile_packages(python)
    _failed([*pip, "uninstall", "--yes", "setuptools"])  # venv brought it: no package needs it, and no lock would renew it
    shutil.copyfile(os.path.join(ROOT, lock), _installed(lock))
    print(f"  {time.time() - begun:3.0f} s  the packages are installed", flush=True)


def _compile_packages(python):
    """Compiles the packages with all cores: pip uses one. Some contain templates that are not valid Python, which pip skips too."""
    command = [python, "-m", "compileall", "-q", "-j", "0", os.path.join(VENV, "lib")]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _port_problem():
    host = _setting("HOST", "127.0.0.1")
    port = _setting("PORT", "3000")
    if not (port.isdecimal() and 0 < int(port) < 65536):
        return None  # the command itself reports it, together with all other wrong settings
    return port_problem(host, int(port))


def _setting(name, default):
    """Returns a setting from the environment or a simple line of the settings file. The command itself parses both completely."""
    if os.environ.get("SITE_" + name):
        return os.environ["SITE_" + name]
    file = os.path.join(ROOT, os.environ.get("SITE_ENV_FILE", ".env"))
    if not os.path.isfile(file):
        return default
    with open(file, encoding="utf-8-sig", errors="replace") as lines:
        values = re.findall(r"^\s*(?:export\s+)?SITE_" + name + r"""\s*=\s*["']?([^\s"'#]+)""", lines.read(), re.MULTILINE)
    return values[-1] if values else default


def _installed(lock):
    """Returns the path of the lock file's copy that records which packages are installed."""
    return os.path.join(VENV, "installed-" + lock)


def _same(file, other_file):
    return os.path.exists(other_file) and filecmp.cmp(file, other_file, shallow=False)


def _failed(command):
    """Runs the command and returns True if it failed. Prints its output only then, because pip warns of much that cannot be fixed here."""
    process = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if process.returncode:
        print(process.stdout.decode(errors="replace")[-10000:], file=sys.stderr, flush=True)
    return process.returncode != 0


def port_problem(host, port, prefix="SITE_", avoid=()):
    """Returns a sentence that says why nothing can listen there and what to set instead, or None.

    `prefix` begins the names of the two settings, SITE_PORT and SITE_HOST. The ports in `avoid` are not proposed.
    """
    error = _bind_error(host, port)
    if error is None:
        return None
    beginning = f"Port {port} on {host} cannot be used ({error.strerror}): "
    if error.errno == errno.EADDRNOTAVAIL:
        return beginning + f"set {prefix}HOST to an address of this machine, such as 127.0.0.1."
    free = _free_port(host, port, avoid)
    another = f"another one, such as {free}" if free else "another one"
    return beginning + f"set {prefix}PORT to {another}, or stop what has it."


def _free_port(host, taken_port, avoid):
    """Returns the next port above that is free now, or None."""
    above = range(max(taken_port, 1023) + 1, min(max(taken_port, 1023) + 1 + _PORTS_TRIED, 65536))
    return next((port for port in above if port not in avoid and _bind_error(host, port) is None), None)


def _bind_error(host, port):
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


if __name__ == "__main__":
    main(sys.argv[1], listens="--listens" in sys.argv)

"""`make lock`: renew the three lock files from pyproject.toml, with hashes and without an address."""

import subprocess
import sys
from pathlib import Path

_UV = Path(sys.executable).with_name("uv")
_PLAIN = ("--quiet", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links")
_COMPILE = (_UV, "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes", *_PLAIN, "pyproject.toml")


def lock() -> None:
    """Lock what serves, what builds and what tests; the later files hold what serves with the same versions."""
    same = ("-c", "requirements.txt")
    for own in (
        ("-o", "requirements.txt"),
        ("--group", "build", *same, "-o", "requirements-build.txt"),
        ("--group", "dev", *same, "-o", "requirements-dev.txt"),
    ):
        if subprocess.run([*_COMPILE, *own], check=False).returncode:
            sys.exit("The lock files could not be renewed: see uv's message above.")


if __name__ == "__main__":
    lock()

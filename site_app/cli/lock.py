"""`make lock`: renews the three lock files from pyproject.toml, with hashes and without index URLs, and prints the changes."""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_UV = str(Path(sys.executable).with_name("uv"))
_PLAIN = ("--quiet", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links")
_COMPILE = (_UV, "pip", "compile", "--universal", "--python-version", "3.11", "--generate-hashes", *_PLAIN, "pyproject.toml")
# Later files contain the packages of the earlier ones in the same versions.
_LOCKS: Mapping[Path, tuple[str, ...]] = {
    Path("requirements.txt"): (),
    Path("requirements-build.txt"): ("--group", "build", "-c", "requirements.txt"),
    Path("requirements-dev.txt"): ("--group", "dev", "-c", "requirements.txt", "-c", "requirements-build.txt"),
}
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.MULTILINE)
_USAGE = "make lock PACKAGE=httpx renews one package, make lock ALL=1 all of them (docs/guide/dependencies.md)."


def lock(*packages: str, everything: bool = False) -> None:
    """Locks the packages for serving, building and testing. Keeps versions unless pyproject.toml needs others or they are to be renewed."""
    old_pins = _pins()
    names = [_plain_name(package) for package in packages]
    if unknown := [name for name in names if name not in old_pins]:
        sys.exit(f"Not among the locked packages: {', '.join(unknown)}. A new one goes into pyproject.toml first.")
    renewed = ("--upgrade",) if everything else tuple(part for name in names for part in ("--upgrade-package", name))
    texts = {file: file.read_text() if file.exists() else "" for file in _LOCKS}
    for file, groups in _LOCKS.items():
        if not _compile((*_COMPILE, *renewed, *groups, "-o", str(file))):
            for path, text in texts.items():
                path.write_text(text)
            sys.exit("The lock files could not be renewed, and are as they were: see uv's message above.")
    moves = list(_moves(old_pins, _pins()))
    print(
        "\n".join([*moves, "make check looks for known holes in them, make test tries them."] if moves else [_nothing(names)])
    )


def _compile(command: Sequence[str]) -> bool:
    return subprocess.run(command, check=False).returncode == 0


def _pins() -> dict[str, str]:
    """Returns the locked version of each package, or its versions if they depend on the system."""
    pins: dict[str, list[str]] = {}
    for file in _LOCKS:
        for name, version in _PIN.findall(file.read_text() if file.exists() else ""):
            pins.setdefault(_plain_name(name), []).append(version)
    return {name: ", ".join(dict.fromkeys(versions)) for name, versions in pins.items()}


def _moves(old_pins: Mapping[str, str], new_pins: Mapping[str, str]) -> Iterator[str]:
    for name in sorted({*old_pins, *new_pins}):
        if name not in old_pins:
            yield f"{name} new: {new_pins[name]}"
        elif name not in new_pins:
            yield f"{name} {old_pins[name]} is gone"
        elif old_pins[name] != new_pins[name]:
            yield f"{name} {old_pins[name]} → {new_pins[name]}"


def _nothing(names: Sequence[str]) -> str:
    if names:
        return f"Nothing has moved: {', '.join(names)} can be no newer with what else pyproject.toml wants."
    return f"Nothing has moved: the locks are as pyproject.toml wants them. {_USAGE}"


def _plain_name(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


if __name__ == "__main__":
    lock(*(argument for argument in sys.argv[1:] if argument != "--all"), everything="--all" in sys.argv)

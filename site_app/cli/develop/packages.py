"""The locked packages.

`make lock` renews the three lock files from pyproject.toml, with hashes and without index URLs, and prints the changes.
`make check` looks for known vulnerabilities in the locked packages, if the advisory services can be reached.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

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
_AUDIT = (sys.executable, "-m", "pip_audit", "--disable-pip", "--format", "json", "--timeout", "3", "--progress-spinner", "off")
_NPM_AUDIT = (
    "npm",
    "audit",
    "--package-lock-only",
    "--omit",
    "dev",
    "--json",
    "--fetch-retries",
    "0",
    "--fetch-timeout",
    "4000",
)
_NOT_CHECKED = "not checked: the service that lists vulnerabilities did not answer"
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
        "\n".join(
            [*moves, "make check looks for known vulnerabilities in them, make test tries them."]
            if moves
            else [_nothing(names)]
        )
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
        return f"Nothing has moved: {', '.join(names)} can be no newer with the other packages that pyproject.toml needs."
    return f"Nothing has moved: the lock files match pyproject.toml. {_USAGE}"


def _plain_name(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def check_advisories() -> None:
    """Prints the known vulnerabilities, or that nothing was checked. Exits with 1 only for a known vulnerability."""
    vulnerabilities_by_kind = {"Python packages": _python_vulnerabilities(), "npm packages": _npm_vulnerabilities()}
    for name, ids in vulnerabilities_by_kind.items():
        outcome = f"known vulnerabilities in {', '.join(sorted(ids))}" if ids else "no known vulnerabilities"
        print(f"{name}: {_NOT_CHECKED if ids is None else outcome}")
    sys.exit(1 if any(vulnerabilities_by_kind.values()) else 0)


def _python_vulnerabilities() -> list[str] | None:
    lock = Path("requirements.txt").read_text()
    # Try one package first: without a network, the audit of all packages would take half a minute.
    return _audited(lock, seconds=25) if _audited(first_of(lock), seconds=4) is not None else None


def first_of(requirements: str) -> str:
    """Returns the first package of a lock file, with its hashes."""
    match = re.search(r"^[A-Za-z0-9].*?==(?:.*\\\n)*.*$", requirements, re.MULTILINE)
    return f"{match[0]}\n" if match else ""


def _audited(requirements: str, *, seconds: float) -> list[str] | None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "requirements.txt")
        file.write_text(requirements)
        report = _json_output((*_AUDIT, "--requirement", str(file)), Path(), seconds)
    return vulnerabilities_in(report["dependencies"]) if "dependencies" in report else None


def vulnerabilities_in(packages: Sequence[dict]) -> list[str] | None:
    """Returns the known vulnerabilities, or None if there are none but some packages were skipped."""
    ids = [f"{package['name']} {entry['id']}" for package in packages for entry in package.get("vulns", ())]
    return None if not ids and any("skip_reason" in package for package in packages) else ids


def _npm_vulnerabilities() -> list[str] | None:
    report = _json_output(_NPM_AUDIT, Path("reflex.lock"), seconds=25)
    grave = ("high", "critical")
    vulnerabilities = report.get("vulnerabilities")
    return (
        None
        if vulnerabilities is None
        else [name for name, vulnerability in vulnerabilities.items() if vulnerability.get("severity") in grave]
    )


def _json_output(command: Sequence[str], folder: Path, seconds: float) -> dict:
    """Runs the command and returns the JSON object on its stdout, whatever the exit code, or {}."""
    try:
        process = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds)
        report = json.loads(process.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return {}
    return report if isinstance(report, dict) else {}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["check"]:
            check_advisories()
        case ["lock", *arguments]:
            lock(*(argument for argument in arguments if argument != "--all"), everything="--all" in arguments)
        case _:
            sys.exit("python -m site_app.cli.develop.packages lock [PACKAGE …] [--all], or check")

"""Checks the locked packages for known vulnerabilities, if the advisory services can be reached. Part of `make check`."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

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
_NOT_CHECKED = "not checked: its advisories could not be asked about"


def main() -> None:
    """Prints the known vulnerabilities, or that nothing was checked. Exits with 1 only for a known vulnerability."""
    holes_by_kind = {"Python packages": _python_holes(), "npm packages": _npm_holes()}
    for name, holes in holes_by_kind.items():
        outcome = f"known holes in {', '.join(sorted(holes))}" if holes else "no known holes"
        print(f"{name}: {_NOT_CHECKED if holes is None else outcome}")
    sys.exit(1 if any(holes_by_kind.values()) else 0)


def _python_holes() -> list[str] | None:
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
    return holes_in(report["dependencies"]) if "dependencies" in report else None


def holes_in(packages: Sequence[dict]) -> list[str] | None:
    """Returns the known vulnerabilities, or None if there are none but some packages were skipped."""
    holes = [f"{package['name']} {hole['id']}" for package in packages for hole in package.get("vulns", ())]
    return None if not holes and any("skip_reason" in package for package in packages) else holes


def _npm_holes() -> list[str] | None:
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
    main()

"""Asks whether what is installed has known vulnerabilities, where the advisories can be reached: part of `make check`."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

_PATIENCE_SECONDS = 25
_PATIENCE_FOR_ONE_SECONDS = 4
_LOCK = Path("reflex.lock")
_PYTHON = Path("requirements.txt")
_NOT_CHECKED = "not checked"


def main() -> None:
    """Say what was found, or that it was not checked; only a hole that is known fails."""
    verdicts = [_python_packages(), _npm_packages()]
    for name, (_, said) in zip(("Python packages", "npm packages"), verdicts, strict=True):
        print(f"{name}: {said}")
    sys.exit(1 if any(holes for holes, _ in verdicts) else 0)


def _python_packages() -> tuple[int, str]:
    lock = _PYTHON.read_text()
    # One first: where nobody answers, asking about each would take half a minute.
    first = _verdict(_audited(first_of(lock), _PATIENCE_FOR_ONE_SECONDS))
    return first if first[1].startswith(_NOT_CHECKED) else _verdict(_audited(lock, _PATIENCE_SECONDS))


def _verdict(report: dict | None) -> tuple[int, str]:
    if report is None or "dependencies" not in report:
        return 0, _not_checked("pip-audit")
    return judged(report["dependencies"])


def first_of(requirements: str) -> str:
    """The first package of a lock file, with its hashes."""
    found = re.search(r"^[A-Za-z0-9].*?==(?:.*\\\n)*.*$", requirements, re.MULTILINE)
    return f"{found[0]}\n" if found else ""


def _audited(requirements: str, patience: float) -> dict | None:
    with TemporaryDirectory() as room:
        file = Path(room, "requirements.txt")
        file.write_text(requirements)
        command = [sys.executable, "-m", "pip_audit", "--requirement", str(file), "--disable-pip", "--format", "json"]
        return _asked([*command, "--timeout", "3", "--progress-spinner", "off"], patience=patience)


def judged(packages: Sequence[dict]) -> tuple[int, str]:
    """How many holes are known, and what to say; what pip-audit skipped counts as not checked."""
    holes = [f"{one['name']} {hole['id']}" for one in packages for hole in one.get("vulns", ())]
    skipped = sum("skip_reason" in one for one in packages)
    if holes or not skipped:
        return len(holes), _told(holes)
    return 0, f"{_NOT_CHECKED}: {skipped} of {len(packages)} could not be asked about"


def _npm_packages() -> tuple[int, str]:
    command = [
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
    ]
    report = _asked(command, where=_LOCK)
    if report is None or "vulnerabilities" not in report:
        return 0, _not_checked("npm audit")
    grave = [name for name, one in report["vulnerabilities"].items() if one.get("severity") in ("high", "critical")]
    return len(grave), _told(grave)


def _asked(command: Sequence[str], where: Path = Path(), *, patience: float = _PATIENCE_SECONDS) -> dict | None:
    """The report on stdout, whatever the exit code; None where there is none."""
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=patience)
        report = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return report if isinstance(report, dict) else None


def _told(holes: Sequence[str]) -> str:
    return f"known holes in {', '.join(sorted(holes))}" if holes else "no known holes"


def _not_checked(tool: str) -> str:
    return f"{_NOT_CHECKED}: {tool} is not there, or did not reach the advisories"


if __name__ == "__main__":
    main()

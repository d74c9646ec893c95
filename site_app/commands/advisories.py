"""Asks whether known holes are in what is installed, where the advisories can be reached: part of `make check`."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_PATIENCE_SECONDS = 25
_LOCK = Path("reflex.lock")


def main() -> None:
    """Say what was found, or that it was not checked; only a hole that is known fails."""
    verdicts = [_python_packages(), _npm_packages()]
    for name, (_, said) in zip(("Python packages", "npm packages"), verdicts, strict=True):
        print(f"{name}: {said}")
    sys.exit(1 if any(holes for holes, _ in verdicts) else 0)


def _python_packages() -> tuple[int, str]:
    command = [sys.executable, "-m", "pip_audit", "--requirement", "requirements.txt", "--disable-pip", "--format", "json"]
    report = _asked([*command, "--timeout", "5", "--progress-spinner", "off"])
    if report is None or "dependencies" not in report:
        return 0, _not_checked("pip-audit")
    return judged(report["dependencies"])


def judged(packages: Sequence[dict]) -> tuple[int, str]:
    """How many holes are known, and what to say; pip-audit skips what it cannot ask about, and that is no good news."""
    holes = [f"{one['name']} {hole['id']}" for one in packages for hole in one.get("vulns", ())]
    skipped = sum("skip_reason" in one for one in packages)
    if holes or not skipped:
        return len(holes), _told(holes)
    return 0, f"not checked: {skipped} of {len(packages)} could not be asked about"


def _npm_packages() -> tuple[int, str]:
    report = _asked(["npm", "audit", "--package-lock-only", "--omit", "dev", "--json", "--fetch-retries", "0"], where=_LOCK)
    if report is None or "vulnerabilities" not in report:
        return 0, _not_checked("npm audit")
    grave = [name for name, one in report["vulnerabilities"].items() if one.get("severity") in ("high", "critical")]
    return len(grave), _told(grave)


def _asked(command: Sequence[str], where: Path = Path()) -> dict | None:
    """The report on stdout, whatever the exit code; None where there is none."""
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=_PATIENCE_SECONDS)
        report = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return report if isinstance(report, dict) else None


def _told(holes: Sequence[str]) -> str:
    return f"known holes in {', '.join(sorted(holes))}" if holes else "no known holes"


def _not_checked(tool: str) -> str:
    return f"not checked: {tool} is not there, or did not reach the advisories"


if __name__ == "__main__":
    main()

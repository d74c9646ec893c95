"""Builds a copy of the site with the newest Reflex, pre-releases included, tries it and names what broke: `make trial NAME=canary`.

`make trial NAME=canary ARGS=0.9.13` tries that version.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
CAGE = ROOT / ".cache" / "canary"
COPY, ENVIRONMENT = CAGE / "site", CAGE / "venv"
_PYTHON = ENVIRONMENT / "bin" / "python"
_SHARED = ("node", "npm", "npx")  # node takes longest to install, and no Reflex version brings its own
# Names inside Reflex, the table of events, our use of Reflex's own classes, a page that is read, a form that is sent.
_SMOKE = (
    "tests/unit/repository/test_reflex_internals.py",
    "tests/unit/repository/test_events.py",
    "tests/unit/socket_guard/test_reflex_states.py",
    "tests/unit/serving/test_live_tokens.py",
    "tests/browser/test_reader_scripts.py",
    "tests/browser/test_socket_token.py",
    "tests/browser/forms/test_forms_delivery.py",
)


def main(arguments: Sequence[str]) -> int:
    version = install(f"reflex=={arguments[0]}" if arguments else "reflex")
    print(f"Reflex {version}: building a copy of the site …", flush=True)
    lay_out()
    built = _run("-m", "site_app", "build", "--anew")
    if built.returncode:
        print(
            "\n".join(broken_edits(built.stdout + built.stderr)) or f"The build broke:\n{(built.stdout + built.stderr)[-3000:]}"
        )
        return 1
    print("It builds. Trying it in a browser …", flush=True)
    process = _run("-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *_SMOKE)
    broken = [line for line in process.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    print(
        "\n".join(broken)
        or (f"Reflex {version} works." if not process.returncode else process.stdout[-3000:] + process.stderr[-3000:])
    )
    return process.returncode


def install(requirement: str) -> str:
    """Installs that Reflex and newer dependencies into an environment on top of ours; returns its version."""
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    venv.create(ENVIRONMENT, symlinks=True)
    purelib = sysconfig.get_path("purelib")
    packages = next(ENVIRONMENT.glob("lib/python*/site-packages"))
    (packages / "ours.pth").write_text(f"{purelib}\n")
    for tool in _SHARED:
        (ENVIRONMENT / "bin" / tool).symlink_to(Path(sys.executable).with_name(tool))
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--pre", "--upgrade")
    for options in (("--force-reinstall", "--no-deps", requirement), (requirement,)):
        process = _run(*pip, *options, at=CAGE)
        if process.returncode:
            sys.exit(f"{requirement} could not be installed:\n{process.stderr[-2000:]}")
    return _run("-c", "from importlib.metadata import version; print(version('reflex'))", at=CAGE).stdout.strip()


def lay_out() -> None:
    """Copies the tracked files with their changes, and links the npm packages of our build."""
    shutil.rmtree(COPY, ignore_errors=True)
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, COPY / name)
    packages = ROOT / ".web" / "node_modules"
    if packages.is_dir():
        (COPY / ".web").mkdir()
        subprocess.run(["cp", "-al", packages, COPY / ".web" / "node_modules"], check=True)


def broken_edits(output: str) -> Iterator[str]:
    """Yields a sentence for each edit of generated text that found nothing to edit, with its search text."""
    edits = [name for name in re.findall(r'patch\.py", line \d+, in (\w+)', output) if name not in ("replace", "cut")]
    for missing_text in re.findall(r"TemplateHasChanged: (.+)", output):
        yield f"The edit {edits[0] if edits else '?'} of site_app/plugins/static_first/patch.py no longer fits: {missing_text}"


def _run(*arguments: str, at: Path = COPY) -> subprocess.CompletedProcess[str]:
    return subprocess.run([_PYTHON, *arguments], cwd=at, capture_output=True, text=True, check=False)

"""The environment of Reflex's own commands (npm, its registry, no telemetry, watched folders), and the report of what stops them.

The development server loads the app in a new process after each change. If that raises, only the terminal shows why; so the failure
is written to a file, and development.mjs shows it in the open pages.
"""

import gc
import json
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterable
from functools import wraps
from importlib import import_module
from multiprocessing import parent_process, util
from pathlib import Path
from types import TracebackType
from typing import Any

from reflex.utils.prerequisites import get_web_dir

from site_app.plugins.static_first import NOT_BUILT

REPORT = "backend_error.json"  # in the compiler's folder, which Vite watches


def report_failures(report: Path) -> None:
    """Makes every child process write the exception that ends it; called in such a child, makes that process do so."""
    if parent_process() is None:
        report.unlink(missing_ok=True)
        util.register_after_fork(report_failures, lambda _: _watch(report))
    else:
        _watch(report)


def overlay_report(error: BaseException, root: Path) -> dict[str, Any]:
    """Returns the error's place in the project, its message and its traceback in the format of Vite's overlay."""
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [frame for frame in frames if _is_own(Path(frame.filename), root)] or frames
    file, line, column, text = (
        (own_frames[-1].filename, own_frames[-1].lineno, own_frames[-1].colno, own_frames[-1].line)
        if own_frames
        else ("", 0, 0, "")
    )
    sentence = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        file = error.filename or file
        line = error.lineno or line
        column = error.offset
        text = error.text or text
        sentence = f"{type(error).__name__}: {error.msg}"
    place = Path(file).relative_to(root) if _is_own(Path(file), root) else file
    return {
        "message": str(error.code) if isinstance(error, SystemExit) else f"{place}, line {line}: {sentence}",
        "loc": {"file": str(file), "line": line, "column": column or 0},
        "frame": (text or "").strip(),
        "stack": "".join(traceback.format_exception(error)),
    }


def _watch(report: Path) -> None:
    """Writes the report when this process ends: multiprocessing runs finalizers while the exception is still being handled."""
    util.Finalize(None, _write, args=(report,), exitpriority=0)


def _write(report: Path) -> None:
    error = sys.exc_info()[1]
    is_refusal = isinstance(error, SystemExit) and isinstance(error.code, str)  # a sentence of the plugin
    if error and (isinstance(error, Exception) or is_refusal) and report.parent.is_dir():
        report.write_text(json.dumps(overlay_report(error, Path.cwd())))


def end_with_a_sentence(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Ends a command with the error's place and message after its traceback: the traceback is forty lines of Reflex's own code."""
    sys.__excepthook__(kind, error, trace)
    if isinstance(error, Exception):
        sys.stderr.write(f"{NOT_BUILT}\n{overlay_report(error, Path.cwd())['message']}\n")


def _is_own(file: Path, root: Path) -> bool:
    return file.is_relative_to(root) and "site-packages" not in file.parts


_TOOLS = Path(sys.executable).parent


def is_reflex_command() -> bool:
    """Returns True if this process is `reflex …` or `python -m reflex …`, not a server of the built site."""
    program = Path(sys.argv[0])
    return "reflex" in (program.stem, program.parent.name)


def prepare_tools(*, watched: Iterable[str], packages: Iterable[str] = ()) -> None:
    """Sets up the environment for Reflex's commands; keeps variables that are already set.

    `watched` are the source folders, without any that a running site writes to. `packages` take long to import: they are imported here,
    so that the processes of development, forked again after each change, inherit them.
    """
    from watchfiles import DefaultFilter  # only for these commands: rxconfig.py imports this module into every server

    os.environ.update(tool_environment())
    report_failures(get_web_dir().resolve() / REPORT)
    sys.excepthook = end_with_a_sentence
    fork_between_starts()
    gc.disable()  # garbage collection took a third of a compile's time; the server's start enables it again
    for package in packages:
        import_module(package)
    os.environ.setdefault("REFLEX_HOT_RELOAD_OVERRIDE_PATHS", ":".join(watched))
    # Vite reloads scripts and styles when they are saved (development.mjs), so Python need not restart for them.
    DefaultFilter.ignore_entity_patterns = (*DefaultFilter.ignore_entity_patterns, r"\.(css|js|jsx)$")


def fork_between_starts() -> None:
    """Makes a fork wait while another thread starts a program.

    To start a program, `subprocess` opens a pipe and waits until it closes. If Reflex forks the backend at that moment, the backend keeps the
    pipe open: the thread that starts Vite waits for as long as the backend lives, and prints no address. Reflex can also start the backend
    without a fork (REFLEX_STRICT_HOT_RELOAD), but then every saved change would import all packages again, which takes 0.9 s (measured).
    """
    starting = threading.RLock()  # not a Lock, because a program with a preexec_fn is forked by the thread that holds it
    start = subprocess.Popen.__init__

    @wraps(start)
    def start_alone(self: Any, *args: Any, **options: Any) -> None:
        with starting:
            start(self, *args, **options)

    subprocess.Popen.__init__ = start_alone  # type: ignore[method-assign]
    os.register_at_fork(before=starting.acquire, after_in_parent=starting.release, after_in_child=starting.release)


def tool_environment() -> dict[str, str]:
    """Returns this process's environment with npm from the wheel in our venv, the registry that npm is configured for, and no telemetry."""
    path = os.environ.get("PATH", "")
    variables = {
        "REFLEX_USE_NPM": "true",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "NPM_CONFIG_FETCH_RETRIES": "3",
    }
    overrides = {"PATH": path if str(_TOOLS) in path.split(os.pathsep) else f"{_TOOLS}{os.pathsep}{path}"}
    environment = {**variables, **os.environ, **overrides}
    if not environment.get("NPM_CONFIG_REGISTRY"):  # without it Reflex measures which of two registries is faster
        npm = [_TOOLS / "npm", "config", "get", "registry"]
        npm_answer = subprocess.run(npm, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        environment |= {"NPM_CONFIG_REGISTRY": npm_answer.stdout.strip()} if npm_answer.stdout.strip() else {}
    return environment

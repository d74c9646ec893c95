"""Writes down what kept a reloaded backend from starting; development.mjs shows it in the open pages.

Reflex's development server loads the app in a process of its own after each change. Where that raises, the process ends, and only the
terminal shows why.
"""

import json
import sys
import traceback
from multiprocessing import parent_process, util
from pathlib import Path
from typing import Any

REPORT = "backend_error.json"  # in the compiler's folder, which Vite watches


def report_failures(report: Path) -> None:
    """Have every process that this one starts, or this one where it was started so, write the exception that ends it."""
    if parent_process() is None:
        report.unlink(missing_ok=True)
        util.register_after_fork(report_failures, lambda _: _watch(report))
    else:
        _watch(report)


def described(error: BaseException, root: Path) -> dict[str, Any]:
    """Return where in the project the error arose, what it says, and its traceback, as Vite's overlay shows them."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(Path(frame.filename), root)] or frames
    file, line, column, text = (own[-1].filename, own[-1].lineno, own[-1].colno, own[-1].line) if own else ("", 0, 0, "")
    sentence = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        file, line, column, text = error.filename or file, error.lineno or line, error.offset, error.text or text
        sentence = f"{type(error).__name__}: {error.msg}"
    place = Path(file).relative_to(root) if _is_own(Path(file), root) else file
    return {
        "message": f"{place}, line {line}: {sentence}",
        "loc": {"file": str(file), "line": line, "column": column or 0},
        "frame": (text or "").strip(),
        "stack": "".join(traceback.format_exception(error)),
    }


def _watch(report: Path) -> None:
    """Look when this process ends: multiprocessing runs finalizers while the exception that ends it is still in flight."""
    util.Finalize(None, _write, args=(report,), exitpriority=0)


def _write(report: Path) -> None:
    error = sys.exc_info()[1]
    if isinstance(error, Exception) and report.parent.is_dir():
        report.write_text(json.dumps(described(error, Path.cwd())))


def _is_own(file: Path, root: Path) -> bool:
    return file.is_relative_to(root) and "site-packages" not in file.parts

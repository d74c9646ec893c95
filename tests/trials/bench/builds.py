"""Measures a start, a build after one changed word, and a build of many pages."""

import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from statistics import median

from site_app.core.locales import LOCALES
from tests.support.project_copy import project_copy
from tests.trials.bench.part import Bar, Extent, Measured, Table, half_range
from tests.trials.bench.stage import BUILT_FOR, environment, page_paths, site

PAGES = (0, 150, 300)  # at least this many pages: the existing ones, and more
MAX_START_SECONDS, MAX_CHANGE_SECONDS = 4, 10
_ADD = (
    "from site_app.cli.develop.new_page import new_page\nimport sys\nfor number in range(int(sys.argv[1]), int(sys.argv[2])):\n"
    '    new_page(f"/company/page-{number}", f"Page number {number} of many, made for a measurement")\n'
)


def start(extent: Extent) -> Measured:
    """Measures from the command to the first page, with an empty database and a warm file cache."""
    seconds = []
    for turn in range(extent.pick(3, full=7)):
        began = time.perf_counter()
        with site(extent.folder / f"start{turn}") as running:
            urllib.request.urlopen(f"{running.url}/faq").close()
            seconds.append(time.perf_counter() - began)
    rows = [["from the command to the first page", f"{median(seconds):.2f}", f"{max(seconds):.2f}"]]
    return Measured(
        {"seconds": median(seconds)},
        [Table("Start", ("", "seconds, median", "longest"), rows, f"{len(seconds)} starts, each with a database of its own.")],
        [
            Bar(
                "seconds from the command to the first page",
                {"": median(seconds)},
                most=MAX_START_SECONDS,
                noise=half_range(seconds),
            )
        ],
    )


def build(extent: Extent) -> Measured:
    """In a copy of the repository: build after a changed word; in a full run, rebuild everything with more and more pages."""
    copy, measured, rows = project_copy(extent.folder / "copy", pages=True), Measured(), []
    _built(copy)  # the copy has another path: rebuilding for that reason is not measured
    changes = [_changed_word(copy, turn) for turn in range(extent.pick(1, full=3))]
    measured.figures["change_seconds"] = median(changes)
    rows.append(["after one changed word", f"{len(page_paths())}", f"{median(changes):.1f}"])
    page_count = 0
    for target in PAGES if extent.full else ():
        missing = max(0, round(target / len(LOCALES)) - len(page_paths(copy / ".web/build/client")) // len(LOCALES))
        _run(copy, ["-c", _ADD, str(page_count), str(page_count + missing)])
        page_count += missing
        seconds = _built(copy, "--anew")
        pages = len(page_paths(copy / ".web/build/client"))
        measured.figures |= {f"seconds_{target or 'now'}": seconds, f"pages_{target or 'now'}": pages}
        rows.append(["all anew", str(pages), f"{seconds:.1f}"])
    note = "Each page in every language; npm's packages are there already. Compressed twins, checks and cards are part of it."
    measured.tables = [Table("Build", ("", "pages", "seconds"), rows, note)]
    measured.bars = [
        Bar(
            "seconds of a build after one changed word",
            {"": median(changes)},
            most=MAX_CHANGE_SECONDS,
            noise=half_range(changes),
        )
    ]
    return measured


def _changed_word(copy: Path, turn: int) -> float:
    """Returns the seconds of a build after a word was added to the home page's first text."""
    content = copy / "site_app/content/home.py"
    content.write_text(content.read_text().replace('t("', f't("Change {turn}: ', 1))
    return _built(copy)


def _built(copy: Path, *options: str) -> float:
    began = time.perf_counter()
    _run(copy, ["-m", "site_app", "build", *options])
    return time.perf_counter() - began


def _run(copy: Path, arguments: list[str]) -> None:
    process = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment(**BUILT_FOR), capture_output=True, text=True, timeout=900
    )
    if process.returncode:
        raise RuntimeError(re.sub(r"\s+", " ", process.stderr[-1500:]))

"""How long a start takes, and a build of 51, 150 and 300 pages."""

import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tests.bench.part import Bar, Extent, Measured, Table, median
from tests.bench.plot import growth, plot
from tests.bench.programs import environment
from tests.bench.results import ROOT
from tests.bench.stage import ADDRESS, build_site, page_paths, site

LANGUAGES = 3
PAGES = (51, 150, 300)
LONGEST_START_SECONDS = 5
_PAGE = (
    "from site_app.commands.new_page import new_page\nimport sys\nfor number in range(int(sys.argv[1]), int(sys.argv[2])):\n"
)
_ADD = _PAGE + '    new_page(f"/company/page-{number}", f"Page number {number} of many, made for a measurement")\n'


def start(extent: Extent) -> Measured:
    """From the command to the first page, with an empty database and with a full file cache."""
    build_site()
    seconds = []
    for turn in range(extent.pick(7, 1)):
        with site(extent.room / f"start{turn}") as running:
            urllib.request.urlopen(f"{running.url}/faq").close()
            seconds.append(running.start_seconds)
    rows = [["from the command to the first page", f"{median(seconds):.2f}", f"{max(seconds):.2f}"]]
    return Measured(
        {"seconds": median(seconds)},
        [Table("Start", ("", "seconds, median", "longest"), rows, f"{len(seconds)} starts, each with a database of its own.")],
        [Bar("seconds from the command to the first page", median(seconds), most=LONGEST_START_SECONDS)],
    )


def build(extent: Extent) -> Measured:
    """A whole build anew in a copy of the repository, to which articles are added with the command everybody adds pages with."""
    copy = _copied(extent.room / "copy")
    measured, rows, pages = Measured(), [], len(page_paths()) // LANGUAGES
    made, points = 0, list[tuple[float, float]]()
    for wanted in PAGES[: extent.pick(3, 1)]:
        more = max(0, round(wanted / LANGUAGES) - pages)
        _run(copy, ["-c", _ADD, str(made), str(made + more)])
        made, pages = made + more, pages + more
        began = time.perf_counter()
        _run(copy, ["-m", "site_app", "build", "--anew"])
        seconds = time.perf_counter() - began
        built = len(page_paths(copy / ".web/build/client"))
        measured.figures |= {f"seconds_{wanted}": seconds, f"pages_{wanted}": built}
        points.append((built, seconds))
        rows.append([str(built), f"{seconds:.1f}", f"{1000 * seconds / built:.0f}"])
    if len(points) > 1:
        measured.figures["exponent"] = growth(points).exponent
        measured.plots["build_over_pages"] = plot("A whole build", points, work="pages", cost="seconds")
    note = "Each page in three languages; npm's packages are there already. Brotli and gzip twins, checks and cards are part of it."
    measured.tables = [Table("Build", ("pages", "seconds", "ms a page"), rows, note)]
    return measured


def _copied(copy: Path) -> Path:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, tracked):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    build_site()
    shutil.copytree(ROOT / ".web", copy / ".web", symlinks=True)
    return copy


def _run(copy: Path, arguments: list[str]) -> None:
    own = environment(SITE_URL=ADDRESS, SITE_PRODUCTION="true")
    done = subprocess.run([sys.executable, *arguments], cwd=copy, env=own, capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise RuntimeError(re.sub(r"\s+", " ", done.stderr[-1500:]))

"""make trial NAME=PART ARGS="[--full | --short] [part …]" (NAME=bench: all parts): measure, hold the figures to their bars and compare them with the record.

A full run is the record: it writes the results and renews the figures that documents and texts of the site quote.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.trials.bench import builds, calls, capacity, files, growth, interaction, office, pages, reading, sockets, volume
from tests.trials.bench.part import Bar, Extent, Part
from tests.trials.bench.record import QUOTING, bar_limit, bar_name, compared, keep, renew_quotes
from tests.trials.bench.stage import build_site
from tests.trials.lab.scorecard import NotRun, commit, read_results, write_measurements

PARTS = (
    Part("reading", "What a reader pays", 1.5, 4, reading.reading),
    Part("pages", "Page speed on a slow phone", 4.5, 30, pages.mobile),
    Part("desktop", "Page speed on a desktop", 0, 6, pages.desktop),
    Part("interaction", "Interaction speed on a slow phone", 2.5, 7, interaction.interaction),
    Part("files", "Pages a second", 0.5, 1, files.files),
    Part("calls", "Calls of the API", 0.5, 1.5, calls.calls),
    Part("sockets", "Sockets and their visitors", 0.5, 1, sockets.sockets),
    Part("start", "Start", 0.2, 0.5, builds.start),
    Part("build", "Build", 1, 5, builds.build),
    Part("office", "The agency's own pages", 0.7, 1.2, office.office),
    Part("growth", "Cost of growth", 0.5, 1, growth.grown),
    Part("volume", "A year of a million leads", 0, 9, volume.volume),
    Part("capacity", "Capacity of one process and of four", 0, 9, capacity.capacity),
)
WORSE = "worse than the record"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="make trial NAME=bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(part.name for part in PARTS)}; default: all")
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--full", action="store_true", help="more pages, more runs, a desktop too; written into the record")
    extent.add_argument("--short", action="store_true", help="a run that proves the tool; its figures mean nothing")
    extent.add_argument(
        "--quote", action="store_true", help="measure nothing: write what is recorded into the documents and the site"
    )
    options = parser.parse_intermixed_args(arguments)
    if unknown := set(options.parts) - {part.name for part in PARTS}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    parts = [part for part in PARTS if part.name in options.parts or (not options.parts and (part.minutes or options.full))]
    trouble = [] if options.quote else _run(parts, full=options.full, short=options.short)
    if options.full or options.quote:
        QUOTING.write_text(renew_quotes(QUOTING.read_text(), read_results()))
        write_measurements()
    print("", *trouble, sep="\n")
    return any(not line.startswith(WORSE) for line in trouble)


def _run(parts: Sequence[Part], *, full: bool, short: bool) -> list[str]:
    """Runs each part, even if others fail; returns the list of problems."""
    minutes = sum(part.minutes_full if full else part.minutes for part in parts)
    print(f"Commit {commit()}, about {minutes:.0f} minutes on two quiet cores; load now {os.getloadavg()[0]:.1f}", flush=True)
    clock = time.perf_counter()
    build_site()
    trouble: list[str] = []
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
            try:
                trouble += _measured(part, Extent(Path(folder), full=full, short=short))
            except NotRun as reason:
                print(f"  not run: {reason}", flush=True)
            except Exception as error:  # a failed part must not lose the figures of the others
                trouble.append(f"{part.name} broke off: {type(error).__name__}: {error}")
                print(f"  {trouble[-1]}", flush=True)
    print(f"\n{(time.perf_counter() - clock) / 60:.1f} minutes in all")
    return trouble


def _measured(part: Part, extent: Extent) -> list[str]:
    print(f"\n{part.name}: {part.title}", flush=True)
    began, clock, load_before = datetime.now(UTC), time.perf_counter(), os.getloadavg()[0]
    measured = part.measure(extent)
    minutes, loads = (time.perf_counter() - clock) / 60, f"{load_before:.1f} before and {os.getloadavg()[0]:.1f} after"
    for table in measured.tables:
        print(f"  {table.title}\n    {' | '.join(table.head)}")
        print("\n".join(f"    {' | '.join(row)}" for row in table.rows))
    recorded = read_results().get(part.name, {})
    comparisons = [(bar, compared(bar, recorded)) for bar in measured.bars]
    for bar, change in comparisons:
        print(f"  {'met        ' if bar.met else 'FALLS SHORT'} {_bar_text(bar)}")
        print(f"              {change}" if change else "              not in the record")
    print(f"  {minutes:.1f} minutes, load {loads}", flush=True)
    if extent.full:
        keep(part, measured, began=began, minutes=minutes, loads=loads)
    worse = [f"{WORSE}: {bar.title} ({change})" for bar, change in comparisons if change.startswith("worse")]
    return [f"falls short: {_bar_text(bar)}" for bar in measured.bars if not bar.met] + worse


def _bar_text(bar: Bar) -> str:
    return f"{bar_name(bar)}: {bar.value:.4g}, wanted {bar_limit(bar)}"

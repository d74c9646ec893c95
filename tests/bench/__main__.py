"""python -m tests.bench [--short] [part …]: measure, and write results.json, results.md and the figures README quotes."""

import argparse
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.part import Extent, NotRun, Part
from tests.bench.parts import GROUPS, PARTS
from tests.bench.results import README, figures, keep, read, renewed


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(part.name for part in PARTS)}; default: all")
    parser.add_argument("--quote", action="store_true", help="measure nothing: write what was measured last into README")
    parser.add_argument("--short", action="store_true", help="a run that proves the tool; its figures are marked as such")
    chosen = parser.parse_args()
    if chosen.quote:
        README.write_text(renewed(README.read_text(), figures(read())))
        return
    wanted = {one for name in chosen.parts for one in GROUPS.get(name, (name,))}
    run = [part for part in PARTS if not wanted or part.name in wanted]
    print(
        "About",
        sum(part.minutes for part in run),
        "minutes on two quiet cores; load now",
        f"{os.getloadavg()[0]:.1f}",
        flush=True,
    )
    failed = [part.name for part in run if not _measured(part, short=chosen.short)]
    README.write_text(renewed(README.read_text(), figures(read())))
    sys.exit(f"Not measured to the end: {', '.join(failed)}" if failed else 0)


def _measured(part: Part, *, short: bool) -> bool:
    """Whether the part ran to its end; one that cannot run here says so and fails nothing."""
    print(f"\n{part.name}: {part.says} (about {part.minutes} min)", flush=True)
    began, before = datetime.now(UTC), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as room:
        try:
            measured = part.measure(Extent(short, Path(room)))
        except NotRun as lacking:
            print(f"  not run: {lacking}")
            return True
        except Exception as error:  # what broke one part must not cost the figures of the others
            print(f"  broke off: {type(error).__name__}: {error}")
            return False
    keep(part, measured, began=began, loads=(before, os.getloadavg()[0]), short=short)
    for table in measured.tables:
        print(f"  {table.title}\n    {' | '.join(table.head)}")
        print("\n".join(f"    {' | '.join(row)}" for row in table.rows))
    for bar in measured.bars:
        print(f"  {'met        ' if bar.met else 'FALLS SHORT'} {bar.says}: {bar.value:.4g}")
    print(f"  {(datetime.now(UTC) - began).total_seconds():.0f} s, load {before:.1f} → {os.getloadavg()[0]:.1f}", flush=True)
    return True


if __name__ == "__main__":
    main()

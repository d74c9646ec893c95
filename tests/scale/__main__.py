"""python -m tests.scale [--short] [row …]: two processes behind nginx, faults under load; fails when a row falls short."""

import argparse
import asyncio
import sys
import time

from tests.browser.server import ROOT, build
from tests.faults.scorecard import MET, NOT_RUN, SHORT, NotRun, keep, run, say
from tests.faults.trial import Trial
from tests.scale.cluster import Cluster
from tests.scale.engines import end_in_order
from tests.scale.patience import LATE
from tests.scale.promises import ROWS, promises

_KEPT = ROOT / "tests" / "bench" / "scale.json"
_ABOUT = (
    "# Several processes\n\nAs `make scale-test` measured it last: two app processes of two workers each behind nginx, on PostgreSQL "
    "and Redis, 50 submissions a\nsecond during each fault. Clients, engines and site share one machine; the load is its one-minute "
    "average.\n\n"
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make scale-test", description=__doc__)
    parser.add_argument("rows", nargs="*", type=int, help="Numbers of the rows; default: all")
    parser.add_argument("--short", action="store_true", help="Fewer rounds, kept nowhere; the targets stay the same")
    chosen = parser.parse_args()
    end_in_order()
    began = time.monotonic()
    build("http://localhost:3000")
    try:
        cluster = Cluster()
    except NotRun as lacking:
        _say_not_run(lacking)
        return
    counted = {MET: 0, SHORT: 0, LATE: 0, NOT_RUN: 0}
    try:
        cluster.start()
        for promise in promises(cluster):
            if not chosen.rows or promise.number in chosen.rows:
                cluster.mend()
                result = asyncio.run(run(promise, Trial(short=chosen.short)))
                counted[result.outcome] += 1
                print(say(result), flush=True)
                if not chosen.short:
                    keep([result], _KEPT, about=_ABOUT)
    except NotRun as lacking:
        _say_not_run(lacking)
        return
    finally:
        cluster.close()
    print("\n" + ", ".join(f"{number} {outcome}" for outcome, number in counted.items()), end="")
    print(f"; {time.monotonic() - began:.0f} s in all")
    sys.exit(1 if counted[SHORT] else 0)


def _say_not_run(lacking: NotRun) -> None:
    print(f"0 met, 0 falls short, {len(ROWS)} not run: {lacking}.")


if __name__ == "__main__":
    main()

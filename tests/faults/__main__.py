"""python -m tests.faults [--short] [--minutes N] [row …]: try the promises, print the scorecard, and fail when one falls short."""

import argparse
import asyncio
import logging
import sys

import structlog

from tests.browser.server import build
from tests.faults.promises import PROMISES
from tests.faults.scorecard import MET, NOT_RUN, SHORT, keep, run, say
from tests.faults.trial import Trial


def main() -> None:
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__)
    parser.add_argument("rows", nargs="*", type=int, help="Numbers of the rows; default: all")
    parser.add_argument("--short", action="store_true", help="Smaller numbers, kept nowhere; the targets stay the same")
    parser.add_argument("--minutes", type=float, help="How long the soak is; default: 60, in the short form 4")
    chosen = parser.parse_args()
    minutes = chosen.minutes or (4 if chosen.short else 60)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))  # of APIs in this process
    build("http://localhost:3000")
    results = []
    for promise in PROMISES:
        if not chosen.rows or promise.number in chosen.rows:
            results.append(asyncio.run(run(promise, Trial(short=chosen.short, minutes=minutes))))
            print(say(results[-1]), flush=True)
            if not chosen.short:
                keep(results[-1:])
    counted = {outcome: sum(one.outcome == outcome for one in results) for outcome in (MET, SHORT, NOT_RUN)}
    print("\n" + ", ".join(f"{number} {outcome}" for outcome, number in counted.items()))
    sys.exit(1 if counted[SHORT] else 0)


if __name__ == "__main__":
    main()

"""python -m tests.faults [--short] [row …]: try the promises, print the scorecard, and fail when one falls short."""

import logging

import structlog

from tests.browser.server import ROOT, build
from tests.faults.promises import PROMISES
from tests.lab.scorecard import try_all

_ABOUT = (
    "# The scorecard\n\nAs `make faults` measured it last, row by row; each row's trial stands in `tests/faults/`. What "
    "falls short stands first, and stays until it is mended.\nClients, faults and site share one machine; the load is its one-minute average.\n\n"
)

if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))  # of APIs in this process
    build("http://localhost:3000")
    try_all(PROMISES, prog="make faults", file=ROOT / "tests" / "bench" / "scorecard.md", about=_ABOUT)

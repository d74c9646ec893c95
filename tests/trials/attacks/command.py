"""make trial NAME=attacks ARGS="[--short] [row …]": attack the site, print the scorecard, and fail when a promise falls short."""

import logging
from collections.abc import Sequence

import structlog

from tests.browser.server import ROOT, build
from tests.trials.attacks.promises import PROMISES
from tests.trials.lab.scorecard import try_all

_ABOUT = (
    "# Attacks\n\nAs `make trial NAME=attacks` measured them last, row by row; the code of each is in `tests/trials/attacks/`. A row that "
    "falls short stands first until it is mended.\nClients, faults and site share one machine; the load is its one-minute average. "
    "Promises that ordinary tests hold are in [promises.md](promises.md).\n\n"
)


def main(arguments: Sequence[str]) -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))  # for APIs that run in this process
    build("http://localhost:3000")
    return try_all(PROMISES, arguments, prog="make trial NAME=attacks", file=ROOT / "tests/trials/attacks.md", about=_ABOUT)

"""make trial NAME=attacks ARGS="[--short] [row …]": attack the site, print each row, and fail when a promise falls short."""

import logging
from collections.abc import Sequence

import structlog

from tests.browser.server import build
from tests.trials.attacks.promises import PROMISES
from tests.trials.lab.scorecard import Card, try_all

CARD = Card(
    name="attacks",
    title="Attacks",
    about="`make trial NAME=attacks`; the code of each row is in `tests/trials/attacks/`. A row that falls short stands first until it is mended.",
)


def main(arguments: Sequence[str]) -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))  # for APIs that run in this process
    build("http://localhost:3000")
    return try_all(PROMISES, arguments, CARD)

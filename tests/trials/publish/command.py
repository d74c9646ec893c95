"""make trial NAME=publish ARGS="[--short] [row …]": publish while something fails; ends with 1 when a row falls short."""

from collections.abc import Sequence

from tests.browser.server import build
from tests.trials.lab.scorecard import Card, Promise, try_all
from tests.trials.lab.servers import end_in_order
from tests.trials.publish import kills, workers
from tests.trials.publish.office_site import BUILT_FOR

CARD = Card(
    name="publish",
    title="Publishing",
    about="`make trial NAME=publish`: a site with `SITE_PUBLISH=build` whose texts are written and published over the forms of its office, "
    "with real builds.",
)
ROWS = (
    Promise(
        1,
        "killed (-9) in a build and in the exchange",
        "every page 200, whole and of one version; the next publication works",
        kills.killed,
    ),
    Promise(
        2,
        "four workers on PostgreSQL",
        "a text and a translation reach each worker; 0 of the requests meanwhile fail",
        workers.several_workers,
    ),
)


def main(arguments: Sequence[str]) -> int:
    end_in_order()
    build(BUILT_FOR)
    return try_all(ROWS, arguments, CARD)

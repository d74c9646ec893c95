"""make trial NAME=publish ARGS="[--short] [row …]": publish while everything fails; fails when a row falls short."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from functools import cache, partial

from tests.support.site_server import build
from tests.trials.lab.scorecard import Card, Promise, Verdict, try_all
from tests.trials.lab.servers import end_in_order
from tests.trials.lab.trial import Trial
from tests.trials.publish import faults, kills, many
from tests.trials.publish.office_site import BUILT_FOR, OfficeSite

CARD = Card(
    name="publish",
    title="Publishing",
    about="`make trial NAME=publish`: a site with `SITE_PUBLISH=build` whose texts are written and published over the forms of its office, "
    "with real builds.",
)
_shared = ExitStack()  # a site that several rows use, because its first publication takes longer than all others


@cache
def _shared_site() -> OfficeSite:
    trial = Trial(short=True)
    _shared.callback(trial.close)
    return OfficeSite(trial)


async def _on_shared_site(check: Callable[[OfficeSite], Awaitable[Verdict]], _: Trial) -> Verdict:
    return await check(await asyncio.to_thread(_shared_site))


ROWS = (
    Promise(
        1,
        "killed (-9) in a build and in the exchange",
        "every page 200, whole and of one version; the next publication works",
        kills.killed,
    ),
    Promise(
        2,
        "a full disk while building",
        "the sentence; pages and texts as they were; leads taken; works again",
        faults.full_disk,
    ),
    Promise(
        3,
        "a broken picture",
        "a sentence that names it; pages and texts as they were",
        partial(_on_shared_site, faults.broken_picture),
    ),
    Promise(
        4,
        "a front matter that breaks the build",
        "a sentence that names it; pages and texts as they were",
        partial(_on_shared_site, faults.broken_front_matter),
    ),
    Promise(5, "500 articles", "a publication ≤ 60 s longer than without; the office's list ≤ 100 ms", many.many_articles),
    Promise(
        6,
        "two publishers at once",
        "the second one waits and is told; both texts public",
        partial(_on_shared_site, many.two_publishers),
    ),
    Promise(7, "a clock that jumps over a schedule", "public once, never before its moment", faults.jumping_clock),
    Promise(
        8,
        "four workers on PostgreSQL",
        "a text and a translation reach each worker; 0 of the requests meanwhile fail",
        many.several_workers,
    ),
)


def main(arguments: Sequence[str]) -> int:
    end_in_order()
    build(BUILT_FOR)
    with _shared:
        return try_all(ROWS, arguments, CARD)

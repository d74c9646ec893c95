"""make trial NAME=browsers ARGS="[--short] [--engine NAME] [errand …]": do the errands in each engine, and say which were not run at all."""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.browser.server import PATIENT, Site, build, free_port
from tests.trials.browsers.engines import ENGINES, may_install
from tests.trials.browsers.errands import ERRANDS
from tests.trials.browsers.trial import tried
from tests.trials.lab.scorecard import must_run


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="make trial NAME=browsers", description=__doc__)
    parser.add_argument("errands", nargs="*", help="Names of errands; default: all", metavar="errand")
    parser.add_argument("--short", action="store_true", help="On a desktop's width only")
    parser.add_argument("--engine", choices=[engine.name for engine in ENGINES], help="Only this one")
    options = parser.parse_intermixed_args(arguments)
    if unknown := set(options.errands) - {errand.name for errand in ERRANDS}:
        parser.error(f"there is no errand {', '.join(unknown)}; there are {', '.join(errand.name for errand in ERRANDS)}")
    build("http://localhost:3000")
    failed, passed, not_run = 0, 0, []
    with tempfile.TemporaryDirectory(prefix="engines-") as folder:
        site = Site(free_port(), Path(folder) / "var", PATIENT).start()
        try:
            for engine in ENGINES:
                if options.engine not in (None, engine.name):
                    continue
                if lacking := engine.missing():
                    not_run.append(f"{engine.name}: {lacking}")
                    failed += must_run(engine.name)
                    continue
                for result in tried(engine, site.url, short=options.short, names=options.errands):
                    flaky = f"FLAKY, passed when it was run again: {result.flaky}" if result.flaky else ""
                    outcome = result.failure or flaky or "passed"
                    print(f"{result.engine:<9} {result.width:>5} px  {result.errand:<19} {outcome}", flush=True)
                    failed, passed = failed + bool(result.failure), passed + (not result.failure)
        finally:
            site.stop()
    for result in not_run:
        print(f"NOT RUN   {result}")
    print(f"{passed} passed, {failed} failed" + (f"; {len(not_run)} of {len(ENGINES)} engines NOT RUN" if not_run else ""))
    return 1 if failed or not passed or (not_run and may_install()) else 0

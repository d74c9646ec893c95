"""make trial NAME=browsers ARGS="[--short] [--engine NAME] [errand …]": do the errands in each engine and collect the outcomes.

Says which were not run at all.
"""

import argparse
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.site_server import PATIENT, Site, build, free_port
from tests.trials.browsers.engines import ENGINES, Engine, may_install
from tests.trials.browsers.errands import ERRANDS, Errand
from tests.trials.browsers.tab import Tab
from tests.trials.browsers.webdriver import WebDriverError
from tests.trials.lab.scorecard import must_run

WIDE, NARROW = (1280, 900), (390, 844)
_FORGIVEN = ("unable to fetch the country",)  # the warning of R45 without a lookup service


@dataclass(frozen=True)
class Outcome:
    engine: str
    errand: str
    width: int
    failure: str = ""
    flaky: str = ""  # reason of the first failure, if it passed on the second run


def run_errands(engine: Engine, address: str, *, short: bool, names: Collection[str] = ()) -> Iterator[Outcome]:
    """Runs the errands one after the other: on a desktop, and in the long form at a phone's width as well."""
    selected = [errand for errand in ERRANDS if not names or errand.name in names]
    for choices in dict.fromkeys(errand.choices for errand in selected):
        errands = [errand for errand in selected if errand.choices == choices]
        with engine.running(choices) as browser:
            tab = Tab(browser, address, javascript=choices.javascript)
            for size in (WIDE,) if short else (WIDE, NARROW):
                tab.resize(*size)
                for errand in errands:
                    if failure := _failure(tab, errand, size):  # one more try, as for browser tests, and reported
                        second_failure = _failure(tab, errand, size)
                        yield Outcome(
                            engine.name, errand.name, size[0], second_failure, flaky="" if second_failure else failure
                        )
                    else:
                        yield Outcome(engine.name, errand.name, size[0])


def _failure(tab: Tab, errand: Errand, size: tuple[int, int]) -> str:
    try:
        tab.forget()
        tab.resize(*size)
        errand.run(tab)
        complaints = [complaint for complaint in tab.complaints if not any(part in complaint for part in _FORGIVEN)]
        return f"the page complained: {complaints}" if complaints else ""
    except (AssertionError, WebDriverError) as error:
        return " ".join(str(error).split())


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
                if reason := engine.missing():
                    not_run.append(f"{engine.name}: {reason}")
                    failed += must_run(engine.name)
                    continue
                for result in run_errands(engine, site.url, short=options.short, names=options.errands):
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

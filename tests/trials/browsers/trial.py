"""Run every errand in every engine and collect the outcomes."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tests.trials.browsers.engines import Engine
from tests.trials.browsers.errands import ERRANDS, Errand
from tests.trials.browsers.tab import Tab
from tests.trials.browsers.webdriver import WebDriverError

WIDE, NARROW = (1280, 900), (390, 844)
_FORGIVEN = ("unable to fetch the country",)  # the warning of R45 without a lookup service


@dataclass(frozen=True)
class Outcome:
    engine: str
    errand: str
    width: int
    failure: str = ""
    flaky: str = ""  # reason of the first failure, if it passed on the second run


def tried(engine: Engine, address: str, *, short: bool, names: Collection[str] = ()) -> Iterator[Outcome]:
    """Run the errands one after the other: on a desktop, and in the long form at a phone's width as well."""
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

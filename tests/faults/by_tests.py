"""Rows whose promise is asked by tests, at the lowest place where it can break: the row runs them, in the long form with the slow ones."""

import asyncio
import sys
from xml.etree import ElementTree

from tests.browser.server import ROOT
from tests.lab.scorecard import Tried, Verdict
from tests.lab.trial import Trial


def by_tests(*where: str) -> Tried:
    """A trial that runs these files or tests of `tests/`, and is met when all of them pass."""

    async def tried(trial: Trial) -> Verdict:
        report = trial.room / "tests.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow" if trial.short else "", f"--junitxml={report}"]
        command += [f"tests/{one}" for one in where]
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        said, _ = await process.communicate()
        if not report.exists():
            return Verdict(False, f"the tests did not run: {said.decode()[-300:]}")
        suite = ElementTree.parse(report).getroot()[0]
        failed = [case.get("name", "") for case in suite.iter("testcase") if {one.tag for one in case} & {"failure", "error"}]
        ran = int(suite.get("tests", 0)) - int(suite.get("skipped", 0))
        figure = f"{ran - len(failed)} of {ran} tests passed ({', '.join(where)})"
        return Verdict(ran > 0 and not failed, figure + (f"; failed: {', '.join(failed[:3])}" if failed else ""))

    return tried

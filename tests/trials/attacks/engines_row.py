"""Every errand in Chromium, Firefox and WebKit; a page is complete on paper and in a full-page picture."""

import asyncio
from typing import Any

from tests.support.site_server import PATIENT, Site
from tests.trials.browsers.command import Outcome, run_errands
from tests.trials.browsers.engines import ENGINES, Engine
from tests.trials.lab.scorecard import NotRun, Verdict
from tests.trials.lab.trial import Trial


async def three_engines(trial: Trial) -> Verdict:
    missing = [f"{engine.name}: {reason}" for engine in ENGINES if (reason := await asyncio.to_thread(engine.missing))]
    if missing:
        raise NotRun("; ".join(missing))
    settings: dict[str, Any] = {name.removeprefix("SITE_"): value for name, value in PATIENT.items()}
    site = trial.site(**settings)
    outcomes = [outcome for engine in ENGINES for outcome in await asyncio.to_thread(_outcomes, engine, site, trial.short)]
    passed = {
        engine.name: [outcome for outcome in outcomes if outcome.engine == engine.name and not outcome.failure]
        for engine in ENGINES
    }
    failed = [
        f"{outcome.engine} {outcome.width} px {outcome.errand}: {outcome.failure[:120]}"
        for outcome in outcomes
        if outcome.failure
    ]
    summary = ", ".join(f"{name} {len(successes)}" for name, successes in passed.items())
    return Verdict(
        not failed, f"of {len(outcomes)} errands passed: {summary}" + (f"; failed: {'; '.join(failed)}" if failed else "")
    )


def _outcomes(engine: Engine, site: Site, short: bool) -> list[Outcome]:
    return list(run_errands(engine, f"http://127.0.0.1:{site.port}", short=short))

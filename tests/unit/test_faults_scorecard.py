"""What is left of a trial: of one that falls short the logs, to find out why."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.faults.scorecard import MET, SHORT, Promise, Verdict, keep, run, say
from tests.faults.trial import Trial


def promise(verdict: Verdict | Exception) -> Promise:
    async def tried(trial: Trial) -> Verdict:
        for name in ("var0", "var1"):
            (trial.room / name).mkdir()
            (trial.room / name / "server.log").write_text(f"a line of {name}\n")
        if isinstance(verdict, Exception):
            raise verdict
        return verdict

    return Promise(7, "nothing breaks", "0", tried)


@pytest.mark.parametrize("verdict", [Verdict(met=False, figure="1 broke"), OSError("broke off")])
def test_a_trial_that_falls_short_leaves_the_logs_of_its_sites_and_says_where(tmp_path: Path, verdict) -> None:
    result = asyncio.run(run(promise(verdict), Trial(short=True), logs=tmp_path))

    assert result.outcome == SHORT
    assert str(tmp_path / "row-07") in say(result)
    kept = [(tmp_path / "row-07" / name / "server.log").read_text() for name in ("var0", "var1")]
    assert kept == ["a line of var0\n", "a line of var1\n"]


def test_logs_of_an_earlier_trial_do_not_stay_beside_the_new_ones(tmp_path: Path) -> None:
    (tmp_path / "row-07" / "var9").mkdir(parents=True)
    (tmp_path / "row-07" / "var9" / "server.log").write_text("of last week\n")

    asyncio.run(run(promise(Verdict(met=False, figure="1 broke")), Trial(short=True), logs=tmp_path))

    assert sorted(one.name for one in (tmp_path / "row-07").iterdir()) == ["var0", "var1"]


def test_a_promise_that_is_kept_leaves_no_logs(tmp_path: Path) -> None:
    result = asyncio.run(run(promise(Verdict(met=True, figure="0 broke")), Trial(short=True), logs=tmp_path))

    assert result.outcome == MET
    assert not result.logs
    assert not [*tmp_path.iterdir()]


def test_the_scorecard_names_no_folder_of_the_machine(tmp_path: Path) -> None:
    result = asyncio.run(run(promise(Verdict(met=False, figure="1 broke")), Trial(short=True), logs=tmp_path))

    keep([result], tmp_path / "scorecard.json")

    assert "logs" not in json.loads((tmp_path / "scorecard.json").read_text())[0]

"""The results of a trial with rows: one section, updated row by row."""

from pathlib import Path

import pytest

from tests.trials.lab.scorecard import (
    MET,
    MISSED,
    Card,
    NotRun,
    Promise,
    Result,
    Verdict,
    keep,
    read_results,
    try_all,
    write_result,
)
from tests.trials.lab.trial import Trial

CARD = Card("attacks", "Attacks", "About the attacks.")


def test_failed_rows_come_first_and_a_repeated_row_replaces_the_old_one(tmp_path: Path) -> None:
    for number, outcome, figure in ((1, MET, "a"), (2, MISSED, "b | c"), (10, MET, "d"), (1, MET, "e")):
        keep(Result(number, "says", "target", outcome, figure, load=0.5, seconds=1, extent="long"), CARD, folder=tmp_path)

    lines = (tmp_path / "results.md").read_text().splitlines()
    rows = [line.split(" | ") for line in lines if line.startswith("| ") and line[2].isdigit()]
    assert [(row[0], row[3], row[4]) for row in rows] == [("| 2", "b / c", MISSED), ("| 1", "e", MET), ("| 10", "d", MET)]
    assert {number: row["figure"] for number, row in read_results(tmp_path)["attacks"].items()} == {
        "1": "e",
        "2": "b | c",
        "10": "d",
    }


def test_writing_one_trial_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    write_result("files", "Pages a second", "first table", {"figures": {"pages": 1}}, folder=tmp_path)
    write_result("calls", "Calls of the API", "calls", {"figures": {"calls": 2}}, folder=tmp_path)
    write_result("files", "Pages a second", "second table", {"figures": {"pages": 3}}, folder=tmp_path)

    text = (tmp_path / "results.md").read_text()
    assert "first table" not in text
    assert text.index("## Pages a second\n\nsecond table\n") < text.index("## Calls of the API\n\ncalls\n")
    assert read_results(tmp_path) == {"files": {"figures": {"pages": 3}}, "calls": {"figures": {"calls": 2}}}


@pytest.mark.parametrize(
    ("allowed", "ends_with"), [(None, 0), ("", 1), ("attacks:8", 1), ("attacks:7", 0), ("scale, attacks:7", 0)]
)
def test_a_row_that_could_not_run_fails_in_ci_unless_it_is_named(
    allowed: str | None, ends_with: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lacks_a_program(_: Trial) -> Verdict:
        raise NotRun("needs root")

    monkeypatch.delenv("CI_ALLOW_MISSING", raising=False)
    if allowed is not None:
        monkeypatch.setenv("CI_ALLOW_MISSING", allowed)
    promise = Promise(7, "Nothing is lost", "0", lacks_a_program)

    assert try_all([promise], ["--short"], Card("attacks", "Attacks", "")) == ends_with

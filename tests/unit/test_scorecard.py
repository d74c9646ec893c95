"""What is kept of trials: a table that one can read, renewed row by row."""

from pathlib import Path

from tests.trials.lab.scorecard import MET, SHORT, Result, keep


def test_what_falls_short_stands_first_and_a_row_that_is_tried_again_takes_its_old_place(tmp_path: Path):
    file = tmp_path / "card.md"

    for number, outcome, figure in ((1, MET, "a"), (2, SHORT, "b | c"), (10, MET, "d"), (1, MET, "e")):
        keep(Result(number, "says", "target", outcome, figure, load=0.5, seconds=1, extent="long"), file, "# About\n\n")

    rows = [line.split(" | ") for line in file.read_text().splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert [(row[0], row[3], row[4]) for row in rows] == [("| 2", "b / c", SHORT), ("| 1", "e", MET), ("| 10", "d", MET)]
    assert file.read_text().startswith("# About\n")

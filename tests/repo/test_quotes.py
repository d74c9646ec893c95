"""README quotes only figures that were measured, and as they were measured."""

import re
from pathlib import Path

from tests.bench.parts import GROUPS, PARTS
from tests.bench.results import README, figures, quotes, read, written

MEASURED = re.search(r"\n## Measured\n(.*?)\n## ", README.read_text(), re.DOTALL)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def test_every_quoted_figure_is_the_one_in_the_file() -> None:
    known = figures(read())

    wrong = [(figure, name) for figure, name in quotes(README.read_text()) if figure != written(known[name], figure)]

    assert not wrong, "run make bench, or: python -m tests.bench --quote"


def test_the_section_quotes_something_and_types_no_other_number() -> None:
    assert MEASURED
    text = re.sub(r"`[^`]*`|\([^)]*\)", "", MEASURED[1])  # commands and links

    unmarked = NUMBER.findall(re.sub(r"[\d,.]+<!-- [\w.]+ -->", "", text))

    assert quotes(MEASURED[1])
    assert not unmarked


def test_what_is_kept_was_measured_by_a_part_there_is() -> None:
    assert set(read()) <= {part.name for part in PARTS}
    assert {name for group in GROUPS.values() for name in group} <= {part.name for part in PARTS}


def test_every_plot_named_is_there() -> None:
    plots = Path("tests/bench/plots")

    assert not [name for part in read().values() for name in part["plots"] if not (plots / f"{name}.svg").is_file()]

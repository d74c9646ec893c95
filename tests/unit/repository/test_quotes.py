"""The documents quote only figures that were measured, and as they were measured."""

import re

from tests.trials.bench.record import QUOTING, figures, quotes, read, written

MEASURED = re.search(r"\n## Measured\n(.*?)(?=\n## |\Z)", QUOTING.read_text(), re.DOTALL)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def test_every_quoted_figure_is_the_one_in_the_file() -> None:
    known = figures(read())

    wrong = [(figure, name) for figure, name in quotes(QUOTING.read_text()) if figure != written(known[name], figure)]

    assert not wrong, "run: python -m tests.trials.bench --quote"


def test_the_section_quotes_something_and_types_no_other_number() -> None:
    assert MEASURED
    text = re.sub(r"`[^`]*`|\([^)]*\)", "", MEASURED[1])  # commands and links

    unmarked = NUMBER.findall(re.sub(r"[\d,.]+<!-- [\w.]+ -->", "", text))

    assert quotes(MEASURED[1])
    assert not unmarked

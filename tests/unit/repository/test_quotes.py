"""The document about scale quotes only measured figures."""

import re

from tests.trials.bench.record import PLACEHOLDER, QUOTING, TEMPLATE, renew_quotes
from tests.trials.lab.results import read_results


def test_the_document_quotes_the_last_results() -> None:
    document = QUOTING.read_text()

    assert renew_quotes(document, read_results()) == document, "run: make trial NAME=bench ARGS=--quote"


def test_the_measured_section_types_no_number_itself() -> None:
    section = TEMPLATE.read_text().partition("\n## Measured\n")[2]
    prose = re.sub(r"`[^`]*`|\([^)]*\)", "", PLACEHOLDER.sub("", section))  # commands and links may contain numbers

    assert PLACEHOLDER.search(section)
    assert re.findall(r"\d+", prose) == []

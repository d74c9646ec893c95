"""Names in documents exist: tests of promises, measured figures, numbers of requirements."""

import json
import re
from pathlib import Path

from site_app.content.publications.measurements import MEASUREMENTS
from tests.spec.states import SENTENCES
from tests.trials.attacks.command import PROMISES
from tests.trials.bench.record import PLACEHOLDER, QUOTING, TEMPLATE, renew_quotes
from tests.trials.lab.scorecard import measurements, read_results

ROOT = Path(__file__).parents[3]
REQUIREMENTS = ROOT / "tests/spec/requirements.md"
ROWS = re.findall(r"^\| (\d+) \|.*\| (`tests/.*`) \|$", (ROOT / "tests/trials/promises.md").read_text(), re.MULTILINE)


def test_every_promise_names_tests_that_exist() -> None:
    paths = [path for _, tests in ROWS for path in re.findall(r"`([^`]+)`", tests)]

    missing = [path for path in paths if not ((ROOT / path).is_file() or [*(ROOT / path).glob("test_*.py")])]

    assert ROWS
    assert missing == []


def test_every_number_is_a_promise_of_an_attack_or_of_tests() -> None:
    numbers = {int(number) for number, _ in ROWS} | {promise.number for promise in PROMISES}

    assert numbers == set(range(1, max(numbers) + 1))


def test_the_document_quotes_the_last_results() -> None:
    document = QUOTING.read_text()

    assert renew_quotes(document, read_results()) == document, "run: make trial NAME=bench ARGS=--quote"


def test_texts_of_the_site_quote_the_last_results() -> None:
    assert json.loads(MEASUREMENTS.read_text()) == measurements(read_results()), "run: make trial NAME=bench ARGS=--quote"


def test_the_measured_section_contains_no_typed_numbers() -> None:
    section = TEMPLATE.read_text().partition("\n## Measured\n")[2]
    prose = re.sub(r"`[^`]*`|\([^)]*\)", "", PLACEHOLDER.sub("", section))  # commands and links may contain numbers

    assert PLACEHOLDER.search(section)
    assert re.findall(r"\d+", prose) == []


def test_every_number_the_checklist_cites_exists() -> None:
    numbers = set(re.findall(r"^\| (R\d+) \|", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE))

    cited = {number for sentence in SENTENCES for number in sentence.requirements.split(", ")}

    assert cited <= numbers


def test_requirements_are_numbered_without_gaps() -> None:
    numbers = re.findall(r"^\| R(\d+) \|", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)

    assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1))

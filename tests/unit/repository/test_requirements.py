"""Requirement numbers cited by the checklist exist in tests/spec/requirements.md."""

import re
from pathlib import Path

from tests.spec.states import SENTENCES

REQUIREMENTS = Path(__file__).parents[2] / "spec" / "requirements.md"


def test_every_number_the_checklist_cites_exists() -> None:
    numbers = set(re.findall(r"^\| (R\d+) \|", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE))

    cited = {number for sentence in SENTENCES for number in sentence.requirements.split(", ")}

    assert cited <= numbers


def test_requirements_are_numbered_without_gaps() -> None:
    numbers = re.findall(r"^\| R(\d+) \|", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)

    assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1))

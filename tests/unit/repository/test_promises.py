"""Promises that refer to ordinary tests name existing tests."""

import re
from pathlib import Path

from tests.trials.attacks.promises import PROMISES

ROOT = Path(__file__).parents[3]
ROWS = re.findall(r"^\| (\d+) \|.*\| (`tests/.*`) \|$", (ROOT / "tests/trials/promises.md").read_text(), re.MULTILINE)


def test_every_promise_names_tests_that_exist() -> None:
    paths = [path for _, tests in ROWS for path in re.findall(r"`([^`]+)`", tests)]

    missing = [path for path in paths if not ((ROOT / path).is_file() or [*(ROOT / path).glob("test_*.py")])]

    assert ROWS
    assert missing == []


def test_every_number_is_a_promise_of_an_attack_or_of_tests() -> None:
    numbers = {int(number) for number, _ in ROWS} | {promise.number for promise in PROMISES}

    assert numbers == set(range(1, max(numbers) + 1))

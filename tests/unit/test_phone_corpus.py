"""Browser and server judge the same numbers the same way."""

import pytest

from tests.corpus.phone.compare import DIFFERENCES, browser_answers, differences, server_answers
from tests.corpus.phone.numbers import Case, cases


@pytest.fixture(scope="module")
def corpus() -> list[Case]:
    return cases()


def test_browser_and_server_differ_on_no_more_than_one_number_in_two_hundred(corpus):
    found = differences(corpus)

    assert len(corpus) > 19_000
    assert len(found) <= len(corpus) * 0.005


def test_every_difference_is_written_down(corpus):
    _, *listed = DIFFERENCES.read_text().splitlines()

    assert differences(corpus) == listed, "python -m tests.corpus.phone.compare writes the list anew"


def test_the_lists_of_countries_mean_the_same_on_both_sides():
    lists = [(["GB", "th"], []), ([], ["gb"]), (["US"], ["US"]), ([], [])]
    corpus = [(text, region, *one) for text, region in cases()[::97] for one in lists]

    browser = browser_answers(corpus)  # pyright: ignore[reportArgumentType]
    server = server_answers(corpus)  # pyright: ignore[reportArgumentType]

    assert [one["reason"] for one in browser] == [one["reason"] for one in server]

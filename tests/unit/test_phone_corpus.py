"""Browser and server judge the same numbers the same way."""

from tests.corpus.phone.compare import DIFFERENCES, browser_answers, differences, server_answers
from tests.corpus.phone.numbers import cases


def test_browser_and_server_differ_on_no_more_than_one_number_in_two_hundred_each_written_down():
    corpus = cases()
    _, *listed = DIFFERENCES.read_text().splitlines()

    found = differences(corpus)

    assert found == listed, "python -m tests.corpus.phone.compare writes the list anew"
    assert len(found) <= len(corpus) * 0.005


def test_the_lists_of_countries_mean_the_same_on_both_sides():
    lists = [(["GB", "th"], []), ([], ["gb"]), (["US"], ["US"]), ([], [])]
    corpus = [(text, region, *one) for text, region in cases()[::97] for one in lists]

    browser = browser_answers(corpus)  # pyright: ignore[reportArgumentType]
    server = server_answers(corpus)  # pyright: ignore[reportArgumentType]

    assert [one["reason"] for one in browser] == [one["reason"] for one in server]

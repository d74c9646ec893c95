"""Fixtures of the affiliate program's tests."""

from collections.abc import Iterator

import pytest

from tests.support.affiliate_terms import example_terms


@pytest.fixture(autouse=True, scope="module")
def terms_of_the_examples() -> Iterator[None]:
    with example_terms():
        yield

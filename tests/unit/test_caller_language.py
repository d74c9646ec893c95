"""The language a caller of the API asks for."""

import pytest
from starlette.requests import Request

from site_app.http.languages import language_of


def asking(languages: bytes) -> Request:
    return Request({"type": "http", "headers": [(b"accept-language", languages)]})


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        (b"th", "th"),
        (b"zh-Hans", "cn"),
        (b"zh-TW,en", "cn"),
        (b"de,th;q=0.5,en", "th"),
        (b"de", "en"),
        (b"", "en"),
        (b",,,;", "en"),
    ],
)
def test_the_first_of_our_languages_is_spoken(asked: bytes, language: str) -> None:
    assert language_of(asking(asked)).id == language

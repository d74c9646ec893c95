"""The language of a request, by address, cookie or Accept-Language."""

import pytest
from starlette.requests import Request

from site_app.core.http.languages import language_of
from site_app.serving.language_choice import preferred_language_path


@pytest.mark.parametrize(
    ("cookie", "path"),
    [
        (b"lang=th", "/th/faq"),
        (b"other=1; lang=cn; more=2", "/cn/faq"),
        (b"other=1;lang=th", "/th/faq"),
        (b'lang="th"', "/th/faq"),
        (b"lang=th; lang=cn", "/cn/faq"),
        (b"lang=en", None),
        (b"lang=xx", None),
        (b"slang=th", None),
        (b"other=lang=th", None),
        (b"lang=th\\0", None),
        (b"LANG=th", None),
        (b"", None),
        (b"\xff\xfe=\x00; ;;==", None),
    ],
)
def test_only_a_language_of_ours_leads_elsewhere(cookie: bytes, path: str | None) -> None:
    assert preferred_language_path("/faq", [(b"cookie", cookie)]) == path


@pytest.mark.parametrize(
    ("header", "language"),
    [(b"zh-Hans", "cn"), (b"zh-TW,en", "cn"), (b"xx,th;q=0.5,en", "th"), (b"xx", "en"), (b"", "en"), (b",,,;", "en")],
)
def test_a_caller_is_answered_in_the_first_of_our_languages(header: bytes, language: str) -> None:
    assert language_of(Request({"type": "http", "headers": [(b"accept-language", header)]})).id == language

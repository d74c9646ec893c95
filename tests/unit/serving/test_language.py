"""Which language the cookie asks for, whatever else it says."""

import pytest

from site_app.serving.language import chosen_path


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
    assert chosen_path("/faq", cookie) == path

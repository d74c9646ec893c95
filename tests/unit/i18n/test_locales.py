"""Languages that an agency may add: with a region in the tag, or in two variants."""

import pytest
from babel import Locale as BabelLocale
from starlette.requests import Request

from site_app.core.http import languages
from site_app.core.locales import ENGLISH, Locale


def a_locale(tag: str, country: str) -> Locale:
    return Locale(id=tag.lower(), tag=tag, label=tag, title=tag, country=country, zone="")


@pytest.mark.parametrize(
    ("tag", "country", "identifier"),
    [
        ("de", "DE", "de_DE"),
        ("pt-BR", "BR", "pt_BR"),
        ("es-419", "MX", "es_MX"),
        ("zh-Hans", "CN", "zh_Hans_CN"),
        ("zh-Hant-TW", "TW", "zh_Hant_TW"),
    ],
)
def test_babel_knows_a_language_whether_or_not_its_tag_has_a_region(tag: str, country: str, identifier: str) -> None:
    assert a_locale(tag, country).babel == identifier
    assert str(BabelLocale.parse(identifier)) == identifier


@pytest.mark.parametrize(
    ("accepted", "tag"),
    [("zh-Hant", "zh-Hant"), ("zh-Hans, zh-Hant", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-Hant;q=0.9, en", "zh-Hant")],
)
def test_the_variant_that_is_asked_for_wins_over_the_first_of_its_language(
    monkeypatch: pytest.MonkeyPatch, accepted: str, tag: str
) -> None:
    monkeypatch.setattr(languages, "LOCALES", (ENGLISH, a_locale("zh-Hans", "CN"), a_locale("zh-Hant", "TW")))
    request = Request({"type": "http", "headers": [(b"accept-language", accepted.encode())]})

    assert languages.language_of(request).tag == tag

"""Legal texts are English; a reader of another language is told so, and what they say."""

import pytest

from site_app.content.records import Link
from site_app.i18n import ENGLISH, LOCALES, Locale, use

OTHERS = [locale for locale in LOCALES if locale is not ENGLISH]


@pytest.mark.parametrize("locale", OTHERS)
def test_a_link_to_a_legal_text_says_that_it_is_english(locale: Locale) -> None:
    with use(locale):
        link, other = Link("Terms", "/legals/terms-of-service"), Link("Contact", "/contact-us")

    assert link.text != "Terms"
    assert other.text == "Contact"


def test_in_english_nothing_is_added() -> None:
    assert Link("Terms", "/legals/terms-of-service").text == "Terms"

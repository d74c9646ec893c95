"""What a long list has on top, by the language of the page."""

import pytest

from site_app.forms.fields import countries_on_top
from site_app.i18n import LOCALES, Locale, use


@pytest.mark.parametrize("locale", LOCALES)
def test_the_country_of_the_page_s_readers_stands_first(locale: Locale) -> None:
    with use(locale):
        assert countries_on_top()[0] == locale.country

"""The links that a partner gets to share."""

import re

import pytest

from site_app.content.routes import ROUTES
from site_app.core.i18n import use
from site_app.core.locales import LOCALES, Locale
from site_app.provider.affiliates.mails import link_hint


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_the_example_of_a_link_leads_to_a_page(locale: Locale) -> None:
    with use(locale):
        example = re.search(r"https://agency\.example/r/CODE(/[a-z/-]*)", link_hint("https://agency.example/r/CODE"))

    assert example
    assert example[1] in {route.path for route in ROUTES}

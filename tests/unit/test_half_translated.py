"""A catalog that lacks a text: the rest stays translated, the page that lacks it is English and says so, search engines are not told."""

import pytest
from babel.messages.catalog import Catalog

from site_app.build.head import head
from site_app.commands.ledger import ledger
from site_app.i18n import BY_ID, LOCALES, t, use, words
from site_app.pages import PAGES
from site_app.pages.wholeness import is_whole
from site_app.routes import BY_PATH, Route
from site_app.settings import Settings
from site_app.shell.untranslated import in_english

LACKING, KEPT = "Write to a person", "Contact us"
CONTACT, HOME = BY_PATH["/contact-us"], BY_PATH["/"]


@pytest.fixture
def half_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Thai catalog without one text of the contact page."""
    whole, half = words.catalog, Catalog()
    for message in whole("th"):
        if message.id and message.id != LACKING:
            half.add(message.id, message.string, context=message.context)
    monkeypatch.setattr(words, "catalog", lambda language: half if language == "th" else whole(language))
    return


def alternates(route: Route) -> list[str]:
    spoken = [locale for locale in LOCALES if is_whole(route, locale)]
    elements = [str(one) for one in head(route, languages=spoken, data=(), settings=Settings())]
    return [tag for tag in ("en", "th", "zh-Hans") if any(f'hrefLang:"{tag}"' in one.replace(" ", "") for one in elements)]


def test_what_is_translated_stays_so(half_translated: None) -> None:
    with use(BY_ID["th"]):
        assert t(LACKING) == LACKING
        assert t(KEPT) == "ติดต่อเรา"


def test_only_the_page_that_lacks_it_leaves_hreflang_which_the_sitemap_reads(half_translated: None) -> None:
    assert alternates(CONTACT) == ["en", "zh-Hans"]
    assert alternates(HOME) == ["en", "th", "zh-Hans"]


def test_that_page_is_shown_in_english_under_a_notice(half_translated: None) -> None:
    with use(BY_ID["th"]):
        shown = str(in_english(PAGES[CONTACT.path], BY_ID["th"])()).encode().decode("unicode_escape")

    assert "หน้านี้ยังไม่มีคำแปลภาษาไทย" in shown
    assert 'lang:"en"' in shown.replace(" ", "")
    assert LACKING in shown


def test_the_ledger_counts_it_page_by_page(half_translated: None) -> None:
    rows = {row[0]: row[1:] for row in ledger()}

    assert rows["/"][0].startswith("100.0 %")
    assert not rows["/contact-us"][0].startswith("100.0 %")
    assert rows["/contact-us"][2] == "en, zh-Hans"
    assert "binds" in rows["/legals/legal-notice"][2]

"""A catalog that lacks a text: the rest stays translated, the page that lacks it is English and says so, search engines are not told."""

import pytest
import reflex as rx
from babel.messages.catalog import Catalog

from site_app.cli.translation_report import main, report
from site_app.i18n import BY_ID, LOCALES, tn, use, words
from site_app.i18n.markdown import BrokenText
from site_app.layout.head import head
from site_app.pages.table import PAGES
from site_app.pages.translation_coverage import english_with_notice, is_translated, words_of
from site_app.routes import BY_PATH, Route
from site_app.settings import Settings

CONTACT, HOME = BY_PATH["/contact-us"], BY_PATH["/"]
_ASKED = {route: words_of(route, BY_ID["th"]).asked for route in BY_PATH.values()}
# A text of the contact page alone, and one that it shares with the home page.
LACKING = sorted(_ASKED[CONTACT] - set[str]().union(*(asked for route, asked in _ASKED.items() if route != CONTACT)))[0]


@pytest.fixture
def half_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Thai catalog without one text of the contact page; what else is not translated yet stands there in English."""
    catalogs = {locale.id: _complete(locale.id, but=LACKING if locale.id == "th" else "") for locale in LOCALES}
    monkeypatch.setattr(words, "catalog", catalogs.__getitem__)


def _complete(language: str, *, but: str) -> Catalog:
    found = Catalog(locale=words.catalog(language).locale)  # which says how many plural forms there are
    for message in words.catalog(language):
        if message.id and message.id != but:
            found.add(message.id, message.string if any(message.string or ()) else message.id, context=message.context)
    return found


def alternates(route: Route) -> list[str]:
    spoken = [locale for locale in LOCALES if locale.id in ("en", "th", "cn") and is_translated(route, locale)]
    elements = [str(one) for one in head(route, languages=spoken, data=(), settings=Settings())]
    return [tag for tag in ("en", "th", "zh-Hans") if any(f'hrefLang:"{tag}"' in one.replace(" ", "") for one in elements)]


@pytest.mark.parametrize("language", [locale.id for locale in LOCALES])
def test_a_text_with_a_number_is_said_in_every_language(half_translated: None, language: str) -> None:
    plurals = [(message.id[0], message.id[1]) for message in words.catalog(language) if isinstance(message.id, tuple)]

    with use(BY_ID[language]):
        assert all(tn(one, many, count) for one, many in plurals for count in (1, 2))


def test_only_the_page_that_lacks_it_leaves_hreflang_which_the_sitemap_reads(half_translated: None) -> None:
    assert alternates(CONTACT) == ["en", "zh-Hans"]
    assert alternates(HOME) == ["en", "th", "zh-Hans"]


def test_that_page_is_shown_in_english_under_a_notice(half_translated: None) -> None:
    with use(BY_ID["th"]):
        shown = str(english_with_notice(PAGES[CONTACT.path], BY_ID["th"])()).encode().decode("unicode_escape")

    assert 'lang:"en"' in shown.replace(" ", "")
    assert LACKING in shown


def test_the_ledger_counts_it_page_by_page(half_translated: None) -> None:
    rows = {page: shares for page, *shares in (row.values() for row in report())}

    assert rows["/"][0].startswith("100.0 %")
    assert not rows["/contact-us"][0].startswith("100.0 %")
    assert "th" not in rows["/contact-us"][-1].split(", ")
    assert "zh-Hans" in rows["/contact-us"][-1].split(", ")
    assert "binds" in rows["/legals/legal-notice"][-1]


def test_all_that_one_page_lacks_is_named(half_translated: None, capsys: pytest.CaptureFixture[str]) -> None:
    main(CONTACT.path)

    assert LACKING in capsys.readouterr().out
    with pytest.raises(SystemExit, match="/nowhere"):
        main("/nowhere")


def test_markdown_that_cannot_be_shown_is_told_with_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> rx.Component:
        raise BrokenText("blockquote is not taken here")

    monkeypatch.setitem(PAGES, "/faq", broken)

    with pytest.raises(SystemExit, match="/faq: blockquote"):
        main()

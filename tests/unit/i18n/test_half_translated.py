"""A catalog that lacks texts. The few of a page are English in it; a page that lacks too many is English as a whole, says so, and search
engines are not told of it."""

import re
from collections.abc import Callable, Collection

import pytest
import reflex as rx
from babel.messages.catalog import Catalog

from components.records import Invitation
from site_app.cli.develop.words import words as words_command
from site_app.content.contact_us import contact_us_words
from site_app.content.records import Part, TextPage, get_quote
from site_app.content.routes import BY_PATH, Route
from site_app.core.i18n import recorded_lookups, t, tn, translate, use
from site_app.core.i18n.markdown import BrokenText
from site_app.core.locales import BY_ID, LOCALES
from site_app.core.settings import Settings
from site_app.layout.head import head
from site_app.pages.table import PAGES
from site_app.pages.text_page import text_page
from site_app.pages.translation_coverage import (
    coverage_rows,
    english_with_notice,
    is_translated,
    page_lookups,
    with_marked_english,
)


class CounterState(rx.ComponentState):
    count: int = 0

    @classmethod
    def get_component(cls, *children: rx.Component, **props: object) -> rx.Component:
        return rx.el.p(cls.count)


CONTACT, HOME = BY_PATH["/contact-us"], BY_PATH["/"]
_MESSAGES = {route: page_lookups(route, BY_ID["th"]).requested_texts for route in BY_PATH.values()}
OF_CONTACT = sorted(
    _MESSAGES[CONTACT] - set[str]().union(*(messages for route, messages in _MESSAGES.items() if route != CONTACT))
)
LACKING = OF_CONTACT[0]
HEADLINE = contact_us_words().headline
RemoveTexts = Callable[..., None]


@pytest.fixture
def remove_texts(monkeypatch: pytest.MonkeyPatch) -> RemoveTexts:
    """Removes texts from the Thai catalog; other untranslated texts appear in English."""

    def take_out(*texts: str) -> None:
        catalogs = {locale.id: _complete(locale.id, but=texts if locale.id == "th" else ()) for locale in LOCALES}
        monkeypatch.setattr(translate, "catalog", catalogs.__getitem__)

    return take_out


@pytest.fixture
def half_translated(remove_texts: RemoveTexts) -> None:
    """Removes so many texts of the contact page that the whole page falls back to English."""
    remove_texts(*_MESSAGES[CONTACT] - _MESSAGES[HOME])


def _complete(language: str, *, but: Collection[str]) -> Catalog:
    catalog = Catalog(locale=translate.catalog(language).locale)  # says how many plural forms there are
    for message in translate.catalog(language):
        if message.id and message.id not in but:
            catalog.add(message.id, message.string if any(message.string or ()) else message.id, context=message.context)
    return catalog


def thai(route: Route) -> str:
    """Returns the page's elements in Thai, as the build writes them."""
    with use(BY_ID["th"]):
        return str(with_marked_english(PAGES[route.path])()).encode().decode("unicode_escape")


def test_a_page_without_a_few_translations_stays_in_its_language(remove_texts: RemoveTexts) -> None:
    remove_texts(LACKING)

    assert alternates(CONTACT) == ["en", "th", "zh-Hans"]
    assert alternates(HOME) == ["en", "th", "zh-Hans"]


def test_only_a_missing_text_is_marked_as_english(remove_texts: RemoveTexts) -> None:
    remove_texts(HEADLINE)

    page = thai(CONTACT)

    assert page.count('lang:"en"') == 1
    assert re.search(rf'jsx\("h1",\{{[^{{}}]*lang:"en"[^{{}}]*\}},"{re.escape(HEADLINE)}', page)


def test_a_fully_translated_page_has_no_marks() -> None:
    assert 'lang:"en"' not in thai(CONTACT)


def test_an_article_in_markdown_that_is_lacking_is_marked_as_a_whole(remove_texts: RemoveTexts) -> None:
    markdown = "Read **all** of it, and [the questions](/faq)."

    def words_of_page() -> TextPage:
        return TextPage("H", "L", (Part("first", "F", markdown=t(markdown)),), Invitation("I", "T", (get_quote(),)))

    with use(BY_ID["th"]), recorded_lookups():
        page = str(text_page(words_of_page)())

    assert re.search(r'jsx\("div",\{[^{}]*lang:"en"[^{}]*\},jsx\("p",\{[^,]*"Read <strong>all', page)


def alternates(route: Route) -> list[str]:
    locales = [locale for locale in LOCALES if locale.id in ("en", "th", "cn") and is_translated(route, locale)]
    elements = [str(element) for element in head(route, languages=locales, data=(), settings=Settings())]
    return [
        tag for tag in ("en", "th", "zh-Hans") if any(f'hrefLang:"{tag}"' in element.replace(" ", "") for element in elements)
    ]


@pytest.mark.parametrize("language", [locale.id for locale in LOCALES])
def test_a_text_with_a_number_has_a_form_in_every_language(half_translated: None, language: str) -> None:
    plurals = [(message.id[0], message.id[1]) for message in translate.catalog(language) if isinstance(message.id, tuple)]

    assert plurals
    with use(BY_ID[language]):
        assert all(tn(singular, plural, count) for singular, plural in plurals for count in (1, 2))


def test_only_the_untranslated_page_is_left_out_of_hreflang_and_sitemap(half_translated: None) -> None:
    assert alternates(CONTACT) == ["en", "zh-Hans"]
    assert alternates(HOME) == ["en", "th", "zh-Hans"]


def test_an_untranslated_page_is_shown_in_english_with_a_notice(half_translated: None) -> None:
    with use(BY_ID["th"]):
        html = str(english_with_notice(PAGES[CONTACT.path], BY_ID["th"])()).encode().decode("unicode_escape")

    assert 'lang:"en"' in html.replace(" ", "")
    assert LACKING in html


def test_missing_texts_are_counted_by_page(half_translated: None) -> None:
    rows = {page: shares for page, *shares in (row.values() for row in coverage_rows())}

    assert rows["/"][0].startswith("100.0 %")
    assert not rows["/contact-us"][0].startswith("100.0 %")
    assert "th" not in rows["/contact-us"][-1].split(", ")
    assert "zh-Hans" in rows["/contact-us"][-1].split(", ")
    assert "binds" in rows["/legals/legal-notice"][-1]


def test_all_missing_texts_of_a_page_are_named(half_translated: None, capsys: pytest.CaptureFixture[str]) -> None:
    words_command(CONTACT.path, status=True)

    assert LACKING in capsys.readouterr().out
    with pytest.raises(SystemExit, match="/nowhere"):
        words_command("/nowhere", status=True)


def test_unsupported_markdown_is_reported_with_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> rx.Component:
        raise BrokenText("blockquote is not supported")

    monkeypatch.setitem(PAGES, "/faq", broken)

    with pytest.raises(SystemExit, match="/faq: blockquote"):
        words_command(status=True)


def test_a_state_that_a_page_of_the_table_creates_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PAGES, "/faq", lambda: rx.fragment(CounterState.create()))

    with pytest.raises(BrokenText, match=r"^The page /faq creates a state, CounterState_n\d+, .*rx\.State .*@rx\.page"):
        page_lookups(BY_PATH["/faq"], BY_ID["th"])

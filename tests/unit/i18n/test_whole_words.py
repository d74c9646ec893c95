"""Words that lines keep whole, by a language's glossary."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import reflex as rx

from site_app.core.i18n import glossary, use
from site_app.core.i18n.glossary import parts_around_whole_words
from site_app.core.i18n.markdown import parse_blocks
from site_app.core.locales import BY_ID
from site_app.pages.line_breaks import keep_words_whole, with_whole_words
from site_app.pages.static_html import html_of
from site_app.pages.text_page import components_of

GLOSSARY = "# Thai\n\n## Kept whole\n\nWhy they are.\n\n- คำตอบ คำ\n- แค่ไหน\n\n## Never\n\n| never | instead |\n|---|---|\n| ท่าน | คุณ |\n"
KEPT = "<whole-word>{}</whole-word>"


@pytest.fixture(autouse=True)
def thai(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A glossary of three words; the test speaks Thai."""
    (tmp_path / "th").mkdir()
    (tmp_path / "th/glossary.md").write_text(GLOSSARY)
    monkeypatch.setattr(glossary, "CATALOGS", tmp_path)
    glossary._whole_words.cache_clear()
    with use(BY_ID["th"]):
        yield
    glossary._whole_words.cache_clear()


def test_each_second_part_of_a_text_is_a_listed_word_and_the_longest_one_wins() -> None:
    assert parts_around_whole_words("ได้คำตอบแค่ไหน") == ["ได้", "คำตอบ", "", "แค่ไหน", ""]
    assert parts_around_whole_words("ท่าน") == ["ท่าน"]


def test_a_language_without_a_list_keeps_no_words_whole() -> None:
    with use(BY_ID["cn"]):
        assert parts_around_whole_words("ได้คำตอบ") == ["ได้คำตอบ"]


def test_a_page_keeps_words_and_numbers_whole() -> None:
    page = with_whole_words(lambda: rx.el.main(rx.el.p("ได้คำตอบใน 6 วัน", rx.el.strong("แค่ไหน & ใคร"))))

    bold = f"<strong>{KEPT.format('แค่ไหน')} &amp; ใคร</strong>"
    assert html_of(page()) == f"<main><p>ได้{KEPT.format('คำตอบ')}ใน 6\u00a0วัน{bold}</p></main>"


def test_a_button_and_an_option_are_not_split() -> None:
    """A button is a flex box: its parts would stand apart."""
    form = rx.el.div(rx.el.button("คำตอบใน 6 วัน"), rx.el.select(rx.el.option("คำตอบ")))
    keep_words_whole(form)

    assert html_of(form) == "<div><button>คำตอบใน 6\u00a0วัน</button><select><option>คำตอบ</option></select></div>"


def test_a_text_in_markdown_keeps_them_whole_too() -> None:
    html = html_of(*components_of(parse_blocks("ได้**คำตอบ** & แค่ไหน")))

    assert html == f"<p>ได้<strong>{KEPT.format('คำตอบ')}</strong> &amp; {KEPT.format('แค่ไหน')}</p>"

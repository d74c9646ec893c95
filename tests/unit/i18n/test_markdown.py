"""Parts of articles in Markdown."""

from pathlib import Path

import pytest
from PIL import Image

from components.records import Invitation
from site_app.content.records import Part, TextPage, get_quote
from site_app.core.i18n import use
from site_app.core.i18n.markdown import BrokenText, parse_blocks, unbroken_numbers
from site_app.core.locales import BY_ID
from site_app.pages import text_page as markdown
from site_app.pages.static_html import html_of
from site_app.pages.text_page import components_of, text_page

WORDS = """We **answer** in a day: [the questions](/faq), or [elsewhere](https://example.org).

- one
- two

![A desk](/images/desk.png)
"""


def page_of(text: str) -> str:
    words = TextPage("Claim", "Lead", (Part("first", "First", markdown=text),), Invitation("H", "T", (get_quote(),)))
    return html_of(text_page(lambda: words)())


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "ASSETS", tmp_path)
    (tmp_path / "images").mkdir()
    Image.new("RGB", (640, 480)).save(tmp_path / "images/desk.png")
    (tmp_path / "images/plan.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>')


def test_an_article_has_links_bold_lists_and_pictures_with_their_size() -> None:
    page = page_of(WORDS)

    assert all(
        sign in page for sign in ("<strong>answer</strong>", "<li>two</li>", 'href="/faq"', 'href="https://example.org"')
    )
    assert '<img src="/images/desk.png" alt="A desk" loading="lazy" width="640" height="480"/>' in page


def test_bold_words_in_chinese_may_begin_and_end_with_punctuation() -> None:
    assert "<strong>“甲”</strong>是" in page_of("这里**“甲”**是。")


def test_a_link_in_an_article_leads_to_the_page_in_the_language() -> None:
    with use(BY_ID["th"]):
        assert 'href="/th/faq"' in page_of(WORDS)
    assert 'href="/faq"' in page_of(WORDS)


def test_a_drawing_has_the_size_of_its_view_box() -> None:
    assert 'width="30" height="20"' in page_of("![A plan](/images/plan.svg)")


def test_a_text_that_is_drawn_in_two_languages_links_in_each() -> None:
    nodes = parse_blocks("[the questions](/faq)\n")
    for language, href in (("th", "/th/faq"), ("cn", "/cn/faq"), ("en", "/faq")):
        with use(BY_ID[language]):
            assert html_of(*components_of(nodes)) == f'<p><a href="{href}">the questions</a></p>'


def test_a_table_scrolls_and_names_its_columns_and_lists_have_no_paragraphs() -> None:
    table = html_of(*components_of(parse_blocks("| a | | *b* |\n|---|---|---|\n| 1 | 2 | 3 |\n")))
    assert table.startswith('<div aria-label="a, b" class="sideways" role="group" tabindex="0"><table role="table">')
    assert (
        '<thead role="rowgroup">\n<tr role="row">\n<th role="columnheader" scope="col">a</th>\n<td role="cell"></td>\n' in table
    )
    assert '<tbody role="rowgroup">\n<tr role="row">\n<td role="cell">1</td>' in table
    assert "role=" not in page_of("| a | b |\n|---|---|\n| 1 | 2 |\n").partition("<table")[2]
    assert "<p>" not in html_of(*components_of(parse_blocks("- one\n\n- two\n")))


def test_a_range_of_numbers_stays_in_one_line() -> None:
    assert "4–\u206012" in page_of("| Weeks |\n|---|\n| 4–12 |\n")


@pytest.mark.parametrize(
    ("text", "unbroken"),
    [
        ("by week 6, 2 engineers", "by week\u00a06, 2\u00a0engineers"),
        ("paid for 72.", "paid for\u00a072."),
        ("of 1,234 deliveries", "of 1,234\u00a0deliveries"),
        ("4–12 days", "4–\u206012\u00a0days"),
        ("£100–£300 a month", "£100–\u2060£300 a month"),
        ("from £27,000 at first", "from £27,000 at first"),
        ("ภายใน 30 วัน", "ภายใน 30\u00a0วัน"),
    ],
)
def test_a_number_stays_in_the_line_of_its_noun(text: str, unbroken: str) -> None:
    assert unbroken_numbers(text) == unbroken


@pytest.mark.parametrize("cell", ["week 1", "**1 Screens**"])
def test_a_short_cell_of_a_number_and_a_word_does_not_break(cell: str) -> None:
    page = page_of(f"| When |\n|---|\n| {cell} |\n")
    assert "week\u00a01<" in page or "1\u00a0Screens<" in page


def test_a_picture_that_is_not_there_is_named() -> None:
    with pytest.raises(BrokenText, match=r"gone\.png"):
        page_of("![Gone](/images/gone.png)")


@pytest.mark.parametrize("text", ["> said so", "it is `said so`", "# said so"])
def test_unsupported_markdown_in_an_article_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(BrokenText, match=r"not supported.*(said so|```|---)"):
        page_of(text)

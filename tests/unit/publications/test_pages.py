"""Pages of case studies and articles: what only shows once they are drawn."""

from collections.abc import Callable
from pathlib import Path

import pytest

from site_app.content.publications import PublicationKind, PublicationMistake, publications
from site_app.core import business
from site_app.core.i18n import use
from site_app.core.locales import BY_ID
from site_app.layout.head import data_text
from site_app.pages.publications import _publication_page
from site_app.pages.static_html import html_of

THAI = """---
title: วิธีประเมินงาน
summary: ประมาณการทำจากอะไรบ้าง และทำไมจึงเป็นช่วงก่อนจะเป็นตัวเลขเดียว อ่านได้ในไม่กี่นาที
---
"""
WITH_PICTURE = "picture: {file: square.png, alt: A violet square}\n"


def _draw(kind: PublicationKind) -> str:
    return str(_publication_page(publications(kind)[0])())


def test_a_picture_at_the_head_is_shown(
    articles: PublicationKind, write: Callable[..., Path], draw_picture: Callable[..., Path]
) -> None:
    draw_picture(size=(480, 240))
    write(more_fields=WITH_PICTURE)

    assert "A violet square" in _draw(articles)


def test_the_picture_of_an_article_is_below_its_first_chapter_in_the_page(
    articles: PublicationKind, write: Callable[..., Path], draw_picture: Callable[..., Path]
) -> None:
    draw_picture(size=(480, 240))
    write(more_fields=WITH_PICTURE, text="Opening.\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n\n## Three\n\nThird.\n")

    page = _draw(articles)

    assert page.index("First.") < page.index("A violet square") < page.index("Second.")


def test_a_heading_in_a_quotation_begins_no_chapter(
    articles: PublicationKind, write: Callable[..., Path], draw_picture: Callable[..., Path]
) -> None:
    draw_picture(size=(480, 240))
    write(more_fields=WITH_PICTURE, text="## One\n\n> ## Quoted\n>\n> Words.\n\n## Two\n\nSecond.\n\n## Three\n\nThird.\n")

    page = _draw(articles)

    assert page.index("Words.") < page.index("A violet square") < page.index("Second.")


def test_the_picture_of_a_case_study_is_above_its_text(
    cases: PublicationKind, write: Callable[..., Path], draw_picture: Callable[..., Path]
) -> None:
    draw_picture(size=(480, 240))
    write(more_fields=f"client: Larkfield\n{WITH_PICTURE}", text="Opening.\n\n## One\n\n## Two\n\n## Three\n\nThird.\n")

    page = _draw(cases)

    assert page.index("A violet square") < page.index("Opening.")


def test_a_picture_for_lists_only_is_not_on_the_page(
    articles: PublicationKind, write: Callable[..., Path], draw_picture: Callable[..., Path]
) -> None:
    draw_picture(size=(480, 240))
    write(more_fields="picture: {file: square.png, alt: A violet square, lists_only: true}\n")

    assert "A violet square" not in _draw(articles)
    assert publications(articles)[0].picture


def test_a_small_picture_is_reported(
    articles: PublicationKind, write: Callable[..., Path], draw_picture: Callable[..., Path]
) -> None:
    draw_picture(size=(479, 240))
    write(more_fields=WITH_PICTURE)

    with pytest.raises(
        PublicationMistake, match=r"estimates\.md, line 7: picture: square\.png is 479 pixels wide; it must have at least 480"
    ):
        _draw(articles)


def test_a_broken_picture_stops_the_build(articles: PublicationKind, write: Callable[..., Path], folder: Path) -> None:
    (folder / "square.png").write_text("no pixels")
    write(more_fields=WITH_PICTURE)

    with pytest.raises(PublicationMistake, match=r"estimates\.md, line 7: picture: square\.png cannot be read as a picture\."):
        _draw(articles)


def test_an_unknown_question_stops_the_build(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write(more_fields="questions: [no-such-question]\n")

    with pytest.raises(PublicationMistake, match=r"estimates\.md, line 7: questions: 'no-such-question' is no question"):
        _draw(articles)


@pytest.mark.parametrize("path", ["/nowhere", "//example.com", "/th/faq", "/faq/", "/book/done", "/feed.xml"])
def test_a_link_to_an_unknown_page_stops_the_build(articles: PublicationKind, write: Callable[..., Path], path: str) -> None:
    write(text=f"Text.\n\n[there]({path})\n")

    with pytest.raises(PublicationMistake, match=rf"estimates\.md, line 10: the link {path} leads to no page of this site\."):
        _draw(articles)


@pytest.mark.parametrize(
    ("link", "translated"),
    [
        ("/contact-us?open=quote", "/th/contact-us?open=quote"),
        ("/contact-us?open=quote#main", "/th/contact-us?open=quote#main"),
        ("/?open=consultation", "/th?open=consultation"),
        ("/book", "/th/book"),
        ("/book?speak=th", "/th/book?speak=th"),
        ("/feed.atom", "/th/feed.atom"),
        ("/company?a=/", "/th/company?a=/"),
    ],
)
def test_a_text_links_to_dialogs_the_booking_page_and_feeds_in_its_language(
    articles: PublicationKind, write: Callable[..., Path], link: str, translated: str
) -> None:
    write(text=f"[there]({link})\n")
    write("estimates.th.md", front=THAI, text=f"[ตรงนั้น]({link})\n")

    assert f'href=\\"{link}\\"' in _draw(articles)
    with use(BY_ID["th"]):
        assert f'href=\\"{translated}\\"' in _draw(articles)


def test_braces_of_a_result_are_text(cases: PublicationKind, folder: Path, write: Callable[..., Path]) -> None:
    write(more_fields="client: Larkfield\nresults:\n  - value: 9 in 10\n    text: 'a } b {home_kb.real}'\n")

    assert "a } b {home_kb.real}" in _draw(cases)


def test_facts_of_a_case_may_break_but_not_its_price(cases: PublicationKind, write: Callable[..., Path]) -> None:
    """Names in Chinese and Thai have no spaces, and can be longer than a phone is wide."""
    write(more_fields="client: 上海浦东国际货运代理有限公司\nprice: 10-30\n")

    page = html_of(_publication_page(publications(cases)[0])())

    assert "<dd>上海浦东国际货运代理有限公司</dd>" in page
    least, most, _ = business.BUDGETS_POUNDS
    assert f"<dd>£{least:,}–\u2060£{most:,}</dd>" in page


@pytest.mark.parametrize(("weeks", "duration"), [(1, "1 week"), (6, "6 weeks")])
def test_a_case_names_its_duration(cases: PublicationKind, write: Callable[..., Path], weeks: int, duration: str) -> None:
    write(more_fields=f"client: Larkfield\nweeks: {weeks}\n")

    assert f"<dd>{duration}</dd>" in html_of(_publication_page(publications(cases)[0])()).replace("\u00a0", " ")


@pytest.mark.parametrize(("count", "heading"), [(2, "Further reading"), (3, "Two more cases"), (4, "Two more cases")])
def test_further_cases_are_called_two_only_if_they_are_two(
    cases: PublicationKind, write: Callable[..., Path], count: int, heading: str
) -> None:
    for number in range(count):
        write(f"case-{number}.md", more_fields="client: Larkfield\n")

    assert f'"{heading}"' in _draw(cases)


def test_a_title_cannot_end_the_data_of_search_engines() -> None:
    assert "</script" not in data_text({"headline": "</script><script>alert(1)</script>"})


def test_a_new_text_changes_only_the_pages_that_name_it(articles: PublicationKind, write: Callable[..., Path]) -> None:
    """A build writes changed pages alone: if all pages named the newest text, it would write all of them."""
    for day in range(1, 7):
        write(f"text-{day}.md", front=_front(f"Text {day}", f"2026-01-0{day}"))
    pages_before = _pages(articles)

    write("newest.md", front=_front("The newest text", "2026-02-01"))

    pages = _pages(articles)
    changed_slugs = {slug for slug, page in pages_before.items() if pages[slug] != page}
    assert "The newest text" in pages["text-1"]
    assert changed_slugs == {"text-1", "text-2"}


def _front(title: str, day: str) -> str:
    return f"---\ntitle: {title}\nsummary: What this text says, in a sentence that is as long as it must be.\ndate: {day}\nauthors: [hannah-boyd]\n---\n"


def _pages(kind: PublicationKind) -> dict[str, str]:
    return {publication.slug: str(_publication_page(publication)()) for publication in publications(kind)}

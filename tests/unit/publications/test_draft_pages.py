"""Drafts as the site sees them: every mistake with its field, and a page as good as the draft allows."""

from collections.abc import Callable
from pathlib import Path

import pytest
import reflex as rx

from site_app.contracts.drafts import DraftFiles, PreviewOptions
from site_app.pages.drafts import DraftPages
from site_app.pages.static_html import html_of

ENGLISH = """---
title: How we <estimate>
summary: What an estimate is made of, and why it is a range before it is a number.
date: 2026-05-01
authors: [priya-nair]
picture: {file: wall.png, alt: A violet wall}
---
## First

![A wall](wall.png)
"""
THAI = """---
title: วิธีประเมินงาน
summary: ประมาณการทำจากอะไรบ้าง และทำไมจึงเป็นช่วงก่อนจะเป็นตัวเลขเดียว อ่านได้ในไม่กี่นาที
picture: {alt: ผนังสีม่วง}
---
ข้อความ
"""
FRAME = (
    '<!DOCTYPE html><html lang="en"><head><meta name="stylesheet" content="/assets/all.css"/><title>Articles</title>'
    '<link href="https://a.example/articles" rel="canonical"/><script>boot()</script><style>h1{color:red}</style></head><body>'
    '<header>Bar</header><main id="main"><div class="notice">Sample</div><section>Head</section><section>List</section>'
    '<section class="last">Talk</section><script type="application/ld+json">{}</script></main><noscript>x</noscript></body></html>'
)
OPTIONS = PreviewOptions("en", False, "/office/pictures/{name}")
SIZES = {"wall.png": (800, 400)}


@pytest.fixture
def pages() -> DraftPages:
    files = {"/articles": FRAME, "/th/articles": FRAME, "/assets/all.css": "h1{color:blue}"}
    return DraftPages(lambda path: files[path].encode() if path in files else None)


def _draft(english: str = ENGLISH, thai: str = THAI, sizes: dict[str, tuple[int, int]] = SIZES) -> DraftFiles:
    return DraftFiles("article", "estimates", {"en": english, "th": thai}, sizes)


def test_a_whole_draft_has_no_mistakes(pages: DraftPages) -> None:
    assert pages.mistakes(_draft(), ()) == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (("authors: [priya-nair]", "authors: [nobody]"), ("en", "authors", 5)),
        (("date: 2026-05-01", "date: tomorrow"), ("en", "date", 4)),
        (("## First", "# First"), ("en", "", 8)),
        (("## First", "[x](/nowhere)"), ("en", "", 8)),
        (("## First", "[x](javascript:x)"), ("en", "", 8)),
        (("](wall.png)", "](door.png)"), ("en", "", 10)),
        (("![A wall](wall.png)", "```chart\ntitle: Days\nOrders: four\n```"), ("en", "", 12)),
        (("file: wall.png", "file: door.png"), ("en", "picture", 6)),
        (("alt: ผนังสีม่วง", "alt: x"), ("th", "picture.alt", 4)),
    ],
)
def test_a_mistake_has_its_language_field_and_line(
    pages: DraftPages, change: tuple[str, str], place: tuple[str, str, int]
) -> None:
    mistakes = pages.mistakes(_draft(ENGLISH.replace(*change), THAI.replace(*change)), ())

    assert [(mistake.language, mistake.field, mistake.line) for mistake in mistakes] == [place]


def test_all_mistakes_of_a_text_are_reported_at_once_with_their_lines(pages: DraftPages) -> None:
    english = ENGLISH + (
        "\n# Too high\n\n[x](/nowhere), [y](ftp:y) and [z](#gone)\n\nSee {nothing}[^1].\n\n![](wall.png)\n\n[^2]: Unnamed.\n\n"
        "| a | b |\n|---|\n\n[ok](#too-high)\n"
    )

    mistakes = pages.mistakes(_draft(english, THAI.replace("ข้อความ", "# ก\n\n[x](/nowhere)")), ())

    problems = [(mistake.language, mistake.line, mistake.sentence) for mistake in mistakes]
    for language, line, words in (
        ("en", 20, "[^2]"),
        ("en", 12, "level 1"),
        ("en", 14, "/nowhere"),
        ("en", 14, "ftp:y"),
        ("en", 14, "#gone"),
        ("en", 16, "{nothing}"),
        ("en", 16, "[^1]"),
        ("en", 18, "alt text"),
        ("en", 22, "table cannot"),
        ("th", 6, "level 1"),
        ("th", 8, "/nowhere"),
    ):
        assert any((language, line) == place[:2] and words in place[2] for place in problems), (language, line, words, problems)
    assert len(problems) == 11, problems
    preview = pages.preview(_draft(english), OPTIONS)
    assert preview.count("Line ") == 8  # the page that is not there is no matter of the text alone


def test_a_mistake_in_a_field_hides_none_of_the_text(pages: DraftPages) -> None:
    mistakes = pages.mistakes(
        _draft(ENGLISH.replace("2026-05-01", "tomorrow").replace("## First", "# First\n\n[x](/nowhere)")), ()
    )

    assert [mistake.line for mistake in mistakes] == [4, 8, 10]


def test_a_page_published_since_the_start_may_be_linked(pages: DraftPages) -> None:
    draft = _draft(ENGLISH.replace("## First", "[x](/articles/new)"))

    assert pages.mistakes(draft, ()) != []
    assert pages.mistakes(draft, ("/articles/new",)) == []


def test_a_lead_picture_must_be_wide(pages: DraftPages) -> None:
    [mistake, *_] = pages.mistakes(_draft(sizes={"wall.png": (300, 200)}), ())

    assert (mistake.field, "480" in mistake.sentence) == ("picture", True)


def test_a_preview_is_a_whole_page_without_scripts(pages: DraftPages) -> None:
    html = pages.preview(_draft(), OPTIONS)

    assert "<script" not in html
    assert "<noscript" not in html
    assert "canonical" not in html
    assert "<title>How we &lt;estimate&gt;</title>" in html
    assert 'content="noindex"' in html
    assert "<style>h1{color:blue}</style>" in html
    assert html.index("Bar") < html.index("Sample") < html.index('<h2 id="first">') < html.index("Talk")
    assert "List" not in html
    assert 'src="/office/pictures/wall.png"' in html
    assert 'class="dark"' not in html


def test_a_preview_is_dark_and_in_its_language(pages: DraftPages) -> None:
    html = pages.preview(_draft(), PreviewOptions("th", True, "/{name}"))

    assert '<html lang="en" class="dark">' in html
    assert "วิธีประเมินงาน" in html
    assert "1\u00a0พฤษภาคม" in html


@pytest.mark.parametrize(
    ("english", "html"),
    [
        ("---\ntitle: Half\n---\nText", "Half"),
        ("---\ntitle: [a]\nsummary: ''\ndate: x\nfoo: 1\nauthors: 3\n---\nText", "Text"),
        (ENGLISH.replace("wall.png, alt", "door.png, alt"), "First"),
        (ENGLISH.replace("## First", "# First"), "data-broken"),
        ("no front matter", "must begin with its front matter"),
        ("", ""),
    ],
)
def test_a_draft_with_mistakes_is_drawn_as_far_as_it_goes(pages: DraftPages, english: str, html: str) -> None:
    assert html in pages.preview(_draft(english), OPTIONS)
    pages.preview(_draft(english), PreviewOptions("th", False, "/{name}"))


def test_a_site_that_was_never_built_still_shows_the_words() -> None:
    assert '<h2 id="first">' in DraftPages(lambda _: None).preview(_draft(), OPTIONS)


def test_choices_name_people_services_and_questions(pages: DraftPages) -> None:
    choices = pages.choices()

    assert ("priya-nair", "Priya Nair") in choices["authors"]
    assert {"authors", "services", "questions"} == {*choices}


def test_plain_components_become_html() -> None:
    part = rx.el.p(
        rx.el.span("a < b", class_name="x"), rx.el.img(src="/a.png", alt='"'), aria_label="l", custom_attrs={"lang": "th"}
    )

    assert html_of(part) == ('<p aria-label="l" lang="th"><span class="x">a &lt; b</span><img alt="&quot;" src="/a.png"></p>')


def test_a_component_with_a_handler_cannot_become_html(write: Callable[..., Path]) -> None:
    with pytest.raises(ValueError, match="plain element"):
        html_of(rx.el.button("x", on_click=rx.console_log("x")))

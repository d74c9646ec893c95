"""Files of case studies and articles: what is accepted, and the sentence that names a mistake."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from site_app.content.publications import PublicationKind, PublicationMistake, files, publications
from site_app.content.publications.measurements import measured_on
from site_app.core.i18n import use
from site_app.core.locales import BY_ID, ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings
from tests.unit.publications.front_matter import FRONT

CASE = """---
title: A dispatch board
summary: A board that every dispatcher sees at once, for six hundred deliveries a day.
date: 2026-03-01
authors: [priya-nair]
client: Larkfield Freight
weeks: 12
price: 30-60
results:
  - value: 9 in 10
    text: customers hear about a delay first
---
Text.
"""
WORDS = """---
title: วิธีประเมินงาน
summary: ประมาณการทำจากอะไรบ้าง และทำไมจึงเป็นช่วงก่อนจะเป็นตัวเลขเดียว อ่านได้ในไม่กี่นาที
---
ข้อความ
"""


def test_an_article_has_its_facts_and_words(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write(more_fields="tags: [estimates]\nsample: true\n")

    (article,) = publications(articles)

    assert (article.slug, article.path) == ("estimates", "/articles/estimates")
    assert (article.words().title, article.words().tags, article.facts.sample) == ("How we estimate", ("estimates",), True)


def test_a_case_has_results_and_a_price(cases: PublicationKind, folder: Path) -> None:
    (folder / "board.md").write_text(CASE)

    (case,) = publications(cases)

    assert case.case is not None
    assert (case.case.weeks, case.case.price, case.words().results[0].value) == (12, "30-60", "9 in 10")


def test_the_newest_comes_first(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write("older.md")
    write("newer.md", more_fields="updated: 2026-06-01\n")
    (articles.folder / "newer.md").write_text(
        (articles.folder / "newer.md").read_text().replace("date: 2026-05-01", "date: 2026-05-02")
    )

    assert [article.slug for article in publications(articles)] == ["newer", "older"]


def test_a_new_measurement_updates_the_texts_that_quote_its_figures(
    articles: PublicationKind, write: Callable[..., Path]
) -> None:
    write("quoting.md", text="Our home page weighs {home_kb} kB.\n", more_fields="updated: 2026-05-02\n")
    write("other.md", text="Our home page is light, {really}.\n", more_fields="updated: 2026-05-02\n")

    days = {article.slug: article.updated for article in publications(articles)}

    assert days == {"quoting": measured_on(), "other": date(2026, 5, 2)}
    assert measured_on() > date(2026, 5, 2)


def test_a_translation_is_read_where_it_exists_and_english_elsewhere(
    articles: PublicationKind, write: Callable[..., Path]
) -> None:
    write()
    write("estimates.th.md", front=WORDS, text="")

    (article,) = publications(articles)

    with use(BY_ID["th"]):
        assert article.words().title == "วิธีประเมินงาน"
    with use(BY_ID["cn"]):
        assert article.words().title == "How we estimate"
    assert not article.is_in(BY_ID["cn"])


@pytest.mark.parametrize("locale", [locale for locale in LOCALES if locale is not ENGLISH], ids=lambda locale: locale.id)
def test_the_shortest_summary_is_that_of_its_language(
    articles: PublicationKind, write: Callable[..., Path], locale: Locale
) -> None:
    write()
    write(f"estimates.{locale.id}.md", front=f"---\ntitle: T\nsummary: {'字' * locale.min_summary}\n---\nText.\n", text="")
    publications(articles)

    write(
        f"estimates.{locale.id}.md", front=f"---\ntitle: T\nsummary: {'字' * (locale.min_summary - 1)}\n---\nText.\n", text=""
    )

    with pytest.raises(PublicationMistake, match=str(locale.min_summary)):
        publications(articles)


def test_a_text_becomes_public_when_its_day_begins_for_the_agency(
    articles: PublicationKind, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write()
    first_zone, last_zone = "Pacific/Kiritimati", "Pacific/Pago_Pago"  # a day begins in one 25 hours before the other
    file.write_text(file.read_text().replace("2026-05-01", datetime.now(ZoneInfo(first_zone)).date().isoformat()))

    for zone, count in ((first_zone, 1), (last_zone, 0)):
        monkeypatch.setattr(files, "settings", lambda zone=zone: replace(Settings(), booking_zone=zone))
        assert len(publications(articles)) == count


def test_a_text_may_be_updated_until_today_for_the_agency(
    articles: PublicationKind, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first_zone, last_zone = "Pacific/Kiritimati", "Pacific/Pago_Pago"
    today = datetime.now(ZoneInfo(first_zone)).date()

    monkeypatch.setattr(files, "settings", lambda: replace(Settings(), booking_zone=first_zone))
    write(more_fields=f"updated: {today}\n")
    assert [article.updated for article in publications(articles)] == [today]

    monkeypatch.setattr(files, "settings", lambda: replace(Settings(), booking_zone=last_zone))
    write(more_fields=f"updated: {today}\n")
    with pytest.raises(PublicationMistake, match=r"line 7: updated: it is after today and after the date\."):
        publications(articles)


@pytest.mark.parametrize("field", ["draft: true\n", "updated: 2999-01-01\n"])
def test_a_draft_is_shown_in_development_only(
    articles: PublicationKind, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    file = write(more_fields=field)
    if "2999" in field:  # of a later day
        file.write_text(file.read_text().replace("date: 2026-05-01", "date: 2999-01-01"))

    assert publications(articles) == ()
    monkeypatch.setenv("REFLEX_ENV_MODE", "dev")
    assert len(publications(articles)) == 1


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("weeks: six", "weeks: must be a whole number, such as 6."),
        ("weeks: 6.5", "weeks: must be a whole number, such as 6."),
        ("weeks: [6]", "weeks: must be a whole number, such as 6."),
        (f"weeks: {'9' * 5000}", "weeks: must be a whole number, such as 6."),
        ("weeks: 0", "weeks: must be at least 1."),
        ("weeks: 521", "weeks: must be at most 520."),
        ("price: cheap", "price: must be 'under-10', '10-30', '30-60' or 'over-60'."),
    ],
)
def test_a_mistake_in_a_figure_of_a_case_is_a_plain_sentence(
    cases: PublicationKind, write: Callable[..., Path], field: str, message: str
) -> None:
    write(more_fields=f"client: Larkfield\n{field}\n")

    with pytest.raises(PublicationMistake) as broken:
        publications(cases)

    assert str(broken.value).endswith(f"estimates.md, line 8: {message}")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("title: How we estimate\n", "", 1, "title: it is missing"),
        ("title: How we estimate", 'title: ""', 2, "title: "),
        ("summary: What", "summary: Short", 3, "summary: "),
        ("title: How we estimate", "title: How: we estimate", 2, "the front matter is not valid YAML: "),
        ("title: How we estimate", "title: @work", 2, "the front matter is not valid YAML: "),
        (
            "title: How we estimate",
            "title: !now read this",
            2,
            "the front matter is not valid YAML: quote a text that begins with !",
        ),
        ("title: How we estimate", "title: {x}", 2, "title: must be text"),
        ("title: How we estimate", "title: a\x08b", 2, "the character U+0008 is not allowed"),
        ("title: How we estimate", f"title: {'x' * 200}", 2, "title: must have at most 70 characters"),
        ("date: 2026-05-01", "date: yesterday", 4, "date: must be a day such as 2026-05-01"),
        ("date: 2026-05-01", "date: 2026-13-01", 4, "date: "),
        ("date: 2026-05-01", "date: 2026-02-30", 4, "date: "),
        ("date: 2026-05-01", "date: 0", 4, "date: must be a day such as"),
        ("date: 2026-05-01", "date: 01/05/2026", 4, "date: must be a day such as"),
        ("date: 2026-05-01", "\tdate: 2026-05-01", 4, "the front matter is not valid YAML: "),
        ("date: 2026-05-01", "date: [2026-05-01]", 4, "date: must be a day such as 2026-05-01"),
        ("authors: [priya-nair]", "authors: []", 5, "authors: must have at least 1, and has 0"),
        ("services: [web-development]", "tags: [a, b, c, d, e, f, g, h, i]", 6, "tags: must have at most 8, and has 9"),
        ("authors: [priya-nair]", "authors: priya-nair", 5, "authors: must be a list"),
        ("authors: [priya-nair]", "authors: [Priya Nair]", 5, "authors: 'Priya Nair' is unknown; use one of"),
        ("authors: [priya-nair]", "authors: [priya-nair, priya-nair]", 5, "authors: 'priya-nair' is listed twice"),
        ("services: [web-development]", "title: Again", 6, "the front matter is not valid YAML: title is listed twice"),
        (
            "services: [web-development]",
            "? [a, b]\n: c",
            6,
            "the front matter is not valid YAML: a field’s name must be a word",
        ),
        ("services: [web-development]", "tags: &tags [*tags]", 6, "the front matter is not valid YAML: "),
        (
            "title: How we estimate",
            r'title: "How we\0estimate"',
            2,
            "the front matter is not valid YAML: the character U+0000 is not allowed: feeds cannot contain it",
        ),
        (
            "services: [web-development]",
            r'tags: [work, "a\ufffeb"]',
            6,
            "the front matter is not valid YAML: the character U+FFFE is not allowed: feeds cannot contain it",
        ),
        ("services: [web-development]", "draft: [true]", 6, "draft: must be true or false"),
        ("services: [web-development]", "draft: perhaps", 6, "draft: must be true or false"),
        ("services: [web-development]", "picture: board.png", 6, "picture: must have its fields in braces"),
        ("services: [web-development]", "picture: {file: board.png}", 6, "picture.alt: it is missing"),
        (
            "services: [web-development]",
            "picture: {file: board.png, alt: A board, and more}",
            6,
            "picture.and more: unknown field; quote a text",
        ),
        (
            "services: [web-development]",
            "picture: {file: board.gif, alt: A square}",
            6,
            "picture: the name of a picture ends in",
        ),
        ("Text.", "Text.\x0b", 8, "the character U+000B is not allowed"),
        ("\nText.", "\n ", 8, "the text below the front matter is missing"),
        ("authors: [priya-nair]", "authors: [nobody]", 5, "authors: 'nobody' is unknown"),
        ("services: [web-development]", "services: [cookery]", 6, "services: 'cookery' is unknown"),
        ("services: [web-development]", "colour: red", 6, "colour: unknown field"),
        (
            "services: [web-development]",
            "picture: {file: gone.png, alt: A square}",
            6,
            "picture: there is no gone.png beside it",
        ),
        ("services: [web-development]", "picture: {file: ../gone.png, alt: A square}", 6, "picture.file: "),
        ("services: [web-development]", "updated: 2026-04-30", 6, "updated: it is before the date"),
        ("date: 2026-05-01", "updated: 2998-01-01\ndate: 2026-05-01", 4, "updated: it is after today and after the date"),
        ("date: 2026-05-01", "updated: 2999-01-02\ndate: 2999-01-01", 4, "updated: it is after today and after the date"),
        ("services: [web-development]", "tags: [estimates, prices, ' estimates']", 6, "tags: 'estimates' is listed twice"),
        ("services: [web-development]", "tags: [unclosed", 6, "the front matter is not valid YAML"),
        ("---\ntitle", "title", 1, "it must begin with its front matter"),
    ],
)
def test_a_mistake_is_reported_with_file_line_and_field(
    articles: PublicationKind, write: Callable[..., Path], old: str, new: str, line: int, message: str
) -> None:
    file = write()
    text = file.read_text()
    if old.startswith("summary"):
        text = text.replace(text.splitlines()[2], new)
    file.write_text(text.replace(old, new, 1))

    with pytest.raises(PublicationMistake) as broken:
        publications(articles)

    assert f"estimates.md, line {line}: {message}" in str(broken.value)
    assert "\n" not in str(broken.value)


@pytest.mark.parametrize("name", ["page.md", "services.md", "Upper.md", "two--hyphens.md"])
def test_a_name_that_cannot_be_an_address_is_refused(articles: PublicationKind, write: Callable[..., Path], name: str) -> None:
    write(name)

    with pytest.raises(PublicationMistake, match=name.removesuffix(".md")):
        publications(articles)


def test_a_translation_has_each_tag_once(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write(more_fields="tags: [estimates, prices]\n")
    file = write("estimates.th.md", front=WORDS, text="")
    file.write_text(file.read_text().replace("title:", "tags: [ราคา, ราคา]\ntitle:", 1))

    with pytest.raises(PublicationMistake, match=r"estimates\.th\.md, line 2: tags: 'ราคา' is listed twice\."):
        publications(articles)


@pytest.mark.parametrize("name", ["estimates.fr.md", "other.th.md"])
def test_a_translation_without_a_text_or_a_language_is_refused(
    articles: PublicationKind, write: Callable[..., Path], name: str
) -> None:
    write()
    write(name, front=WORDS, text="")

    with pytest.raises(PublicationMistake, match="a translation is called like its English file"):
        publications(articles)


@pytest.mark.parametrize("name", ["estimates.MD", "estimates.markdown", "notes.txt"])
def test_a_text_file_with_a_wrong_ending_is_refused(articles: PublicationKind, write: Callable[..., Path], name: str) -> None:
    write(name)

    with pytest.raises(PublicationMistake, match=name):
        publications(articles)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_files_of_other_systems_are_read(articles: PublicationKind, write: Callable[..., Path], ending: str, mark: str) -> None:
    file = write(text="Text.\n\nMore.\n")
    file.write_bytes((mark + file.read_text()).replace("\n", ending).encode())

    assert publications(articles)[0].words().markdown == "Text.\n\nMore.\n"


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_another_encoding_is_reported(articles: PublicationKind, write: Callable[..., Path], encoding: str) -> None:
    write().write_bytes((FRONT.format(more_fields="") + "Café.\n").encode(encoding))

    with pytest.raises(PublicationMistake, match=r"estimates\.md, line 1: it is not written in UTF-8"):
        publications(articles)


@pytest.mark.parametrize("title", ["2026", "yes", "2026-01-01", "Launch 🚀 day", "A <b>bold</b> {claim}", "“Done”"])
def test_a_title_is_text_whatever_it_looks_like(articles: PublicationKind, write: Callable[..., Path], title: str) -> None:
    file = write()
    file.write_text(file.read_text().replace("How we estimate", title))

    assert publications(articles)[0].words().title == title


def test_line_breaks_in_a_summary_become_spaces(articles: PublicationKind, write: Callable[..., Path]) -> None:
    file = write()
    file.write_text(
        file.read_text().replace("summary: What an", "summary: |\n  What\n  an").replace(" is a range", "\n  is a range")
    )

    assert publications(articles)[0].words().summary.startswith("What an estimate is made of")


@pytest.mark.parametrize("text", ["{nothing} more", "{home_kb} of {nothing}"])
def test_an_unknown_figure_in_a_result_is_reported(cases: PublicationKind, folder: Path, text: str) -> None:
    files._read.cache_clear()
    files._public_on.cache_clear()
    (folder / "board.md").write_text(CASE.replace("customers hear about a delay first", f"'{text}'"))

    with pytest.raises(PublicationMistake, match=r"board\.md, line 9: results: there is no figure called \{nothing\}"):
        publications(cases)


def test_a_translation_of_a_picture_that_is_not_there_is_refused(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write()
    write("estimates.th.md", front=WORDS.replace("---\nข", "picture: {{alt: กระดาน}}\n---\nข"), text="")

    with pytest.raises(PublicationMistake, match=r"estimates\.th\.md, line 4: picture: the English file has no picture"):
        publications(articles)


def test_a_translation_contains_no_facts(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write()
    write("estimates.th.md", front=WORDS.replace("---\nข", "date: 2026-05-01\n---\nข"), text="")

    with pytest.raises(PublicationMistake, match=r"estimates\.th\.md, line 4: date: .*the facts are in the English file"):
        publications(articles)

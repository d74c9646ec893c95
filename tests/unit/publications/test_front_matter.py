"""A written file is parsed into the same fields and text, for any characters."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_app.content.publications import PublicationKind
from site_app.content.publications.files import field_mistakes
from site_app.contracts.publication import BrokenFrontMatter, file_text, parse

_LINE = (
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: not set(text) & {"\ufffe", "\uffff"})
)
_NAMES = st.sampled_from(("title", "client", "tags", "picture", "results", "team"))
_FIELDS = st.dictionaries(
    _NAMES, st.one_of(_LINE, st.lists(_LINE), st.dictionaries(_NAMES, _LINE), st.lists(st.dictionaries(_NAMES, _LINE)))
).filter(bool)


@given(_FIELDS, _LINE)
def test_a_written_file_is_parsed_into_the_same_parts(fields: dict[str, Any], text: str) -> None:
    parts = parse(file_text(fields, f"## {text}\n\nMore\n"))

    assert (parts.fields, parts.markdown) == (fields, f"## {text}\n\nMore\n")


@pytest.mark.parametrize(
    "title", ["yes", "2026", "2026-05-01", "a: b", "# no", "- x", "{home_kb}", "!tag", "'", '"', "null", "🚀"]
)
def test_a_title_may_look_like_another_yaml_value(title: str) -> None:
    assert parse(file_text({"title": title}, "Text")).fields == {"title": title}


def test_a_file_is_written_as_people_write_it() -> None:
    fields = {
        "title": "How we work",
        "date": "2026-05-01",
        "authors": ["a", "b"],
        "results": [{"value": "9 in 10", "text": "x, y"}],
    }

    assert file_text(fields, "Text\n") == (
        "---\ntitle: How we work\ndate: 2026-05-01\nauthors: [a, b]\nresults:\n- {value: 9 in 10, text: 'x, y'}\n---\nText\n"
    )


def test_a_broken_file_names_its_line() -> None:
    with pytest.raises(BrokenFrontMatter) as broken:
        parse("---\ntitle: x\ndate: [1\n---\nText\n")

    assert broken.value.line == 3


@pytest.mark.parametrize(
    "line",
    [
        "title: ทีม #1 ในลอนดอน",
        "title: #1 in London",
        "tags:\n- the #1 team",
        "picture: {file: a.png, alt: The board\n  of the #1 team\n  }",
        "title: A “good” year #2",
    ],
)
def test_words_that_yaml_would_leave_out_as_a_comment_are_refused(line: str) -> None:
    with pytest.raises(BrokenFrontMatter, match="the words from # on would be left out: quote the whole text") as broken:
        parse(f"---\nsummary: ก\n{line}\n---\nText\n")

    assert broken.value.line == 3 + line.partition("#")[0].count("\n")


@pytest.mark.parametrize(
    "line", ["title:\u00a0A plan", "\u00a0title: A plan", "\u200btitle: A plan", "title：计划", "-\u00a0a plan"]
)
def test_a_sign_that_only_looks_like_a_space_or_a_colon_is_named_in_its_line(line: str) -> None:
    with pytest.raises(BrokenFrontMatter, match="a space or a colon in this line is not a plain one: type it again") as broken:
        parse(f"---\nclient: x\n{line}\nsummary: x\n---\nText\n")

    assert broken.value.line == 3


def test_comments_and_quoted_signs_stay_valid() -> None:
    front = "# ours\ntitle: 'The #1 team' # for now\ndate: 2026-05-01 # a Friday\nsummary: C#, F#\n#draft: true\n"

    assert parse(f"---\n{front}---\n").fields == {"title": "The #1 team", "date": "2026-05-01", "summary": "C#, F#"}


@pytest.mark.parametrize(
    "line",
    [
        'title: "Fixed price" explained',
        "title: 'it's'",
        "title: [Draft] Plan",
        "title: {Draft} Plan",
        "title: - a plan",
        "title: *all",
        "title: > all",
        "title: ? all",
        'picture: {alt: "Fixed" price}',
        "tags: ['fixed' price]",
    ],
)
def test_a_text_that_begins_with_a_sign_is_refused_with_what_to_do(line: str) -> None:
    with pytest.raises(BrokenFrontMatter, match="quote a text that has a colon or begins with a sign") as broken:
        parse(f"---\n{line}\nsummary: x\n---\nText\n")

    assert broken.value.line == 2


def test_all_mistakes_of_the_front_matter_are_named_at_once(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write(front="---\ntitle: ''\nsummary: short\ndate: tomorrow\nauthors: []\n---\n", text=" ")

    mistakes = field_mistakes(articles, "estimates")

    assert [mistake.field for mistake in mistakes] == ["title", "summary", "date", "authors", ""]
    assert all(mistake.sentence[0].isupper() and mistake.sentence.endswith(".") for mistake in mistakes)
    assert [mistake.line for mistake in mistakes] == [2, 3, 4, 5, 7]


def test_a_translation_is_checked_with_its_english(articles: PublicationKind, write: Callable[..., Path]) -> None:
    write(more_fields="tags: [a, b]\n")
    write("estimates.th.md", front="---\ntitle: x\nsummary: " + "ก" * 60 + "\ntags: [a]\n---\n")

    [mistake] = field_mistakes(articles, "estimates")

    assert (mistake.field, mistake.file and mistake.file.name) == ("tags", "estimates.th.md")

"""Two people change the same text: nothing of either is lost, and what does not collide is merged."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_app.provider.publishing.merging import ComparedLine, compare_lines, merge_fields, merge_text, unresolved_line

_LINES = st.lists(st.sampled_from(("a", "b", "c", "", "## d")), max_size=8).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@settings(deadline=None)  # a busy machine takes longer now and then
@given(_LINES, _LINES)
def test_a_change_on_only_one_side_is_merged(base: str, changed: str) -> None:
    assert merge_text(base, changed, base) == merge_text(base, base, changed) == merge_text(base, changed, changed)
    assert (merge_text(base, changed, base).text, merge_text(base, changed, base).collisions) == (changed, 0)


@settings(deadline=None)  # a busy machine takes longer now and then
@given(_LINES, _LINES, _LINES)
def test_a_merge_keeps_every_added_line_of_both_sides(base: str, local: str, remote: str) -> None:
    merged = merge_text(base, local, remote)

    added = {*local.splitlines(), *remote.splitlines()} - {*base.splitlines()}
    assert added <= {*merged.text.splitlines()}
    assert bool(unresolved_line(merged.text)) == bool(merged.collisions)


@pytest.mark.parametrize(
    ("local", "remote", "merged"),
    [
        ("A\n\nb\n\nc\n", "a\n\nb\n\nC\n", "A\n\nb\n\nC\n"),
        ("a\n\nb\n\nc\n\nd\n", "0\n\na\n\nb\n\nc\n", "0\n\na\n\nb\n\nc\n\nd\n"),
        ("a\n\nc\n", "a\n\nb\n\nc!\n", None),
        ("a\n\nb1\n\nc\n", "a\n\nb2\n\nc\n", None),
    ],
)
def test_changes_of_different_lines_are_merged(local: str, remote: str, merged: str | None) -> None:
    outcome = merge_text("a\n\nb\n\nc\n", local, remote)

    assert (outcome.collisions == 0) == (merged is not None)
    if merged is not None:
        assert outcome.text == merged


def test_a_collision_shows_both_between_marks() -> None:
    merged = merge_text("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n")

    assert merged.text == "a\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> saved meanwhile\nc\n"
    assert unresolved_line(merged.text) == 2
    assert unresolved_line("a\n=======\n") == 0


def test_fields_are_merged_one_by_one() -> None:
    base = {"title": "t", "client": "c", "weeks": "3"}

    merged = merge_fields(
        base, {"title": "local", "client": "c", "weeks": "4"}, {"title": "remote", "client": "new", "tags": ["x"]}
    )

    assert merged.fields == {"title": "local", "client": "new", "weeks": "4", "tags": ["x"]}
    assert merged.collisions == {"title": "remote", "weeks": None}


def test_a_comparison_shows_changes_and_their_surroundings() -> None:
    numbers = "".join(f"{number}\n" for number in range(20))

    lines = compare_lines(numbers, numbers.replace("5\n", "five\n", 1).replace("18\n", ""), context=1)

    assert lines == [
        ComparedLine("same", "4"),
        ComparedLine("removed", "5"),
        ComparedLine("added", "five"),
        ComparedLine("same", "6"),
        ComparedLine("skipped", "…"),
        ComparedLine("same", "17"),
        ComparedLine("removed", "18"),
        ComparedLine("same", "19"),
    ]

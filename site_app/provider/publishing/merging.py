"""Merges two changes of the same text line by line, and compares two texts. Pure functions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

_OURS_MARK, _MIDDLE_MARK, _THEIRS_MARK = "<<<<<<< yours", "=======", ">>>>>>> saved meanwhile"
_MARK = re.compile(rf"^(?:{_OURS_MARK}|{_THEIRS_MARK})$", re.MULTILINE)


@dataclass(frozen=True)
class MergedText:
    """Both changes in one text. Where they collide, both versions are in it, between marks."""

    text: str
    collisions: int


@dataclass(frozen=True)
class MergedFields:
    """Both changes of the front matter. `collisions` holds what the other person wrote in fields that both changed."""

    fields: Mapping[str, Any]
    collisions: Mapping[str, Any]


def merge_text(base: str, ours: str, theirs: str) -> MergedText:
    """Merges line by line. A paragraph of Markdown is often one line."""
    base_lines, our_lines, their_lines = (text.splitlines() for text in (base, ours, theirs))
    merged: list[str] = []
    collisions = 0
    base_at = our_at = their_at = 0
    for base_start, our_start, their_start, length in _common_runs(base_lines, our_lines, their_lines):
        parts = base_lines[base_at:base_start], our_lines[our_at:our_start], their_lines[their_at:their_start]
        resolved = _resolved(*parts)
        if resolved is None:
            collisions += 1
            resolved = [_OURS_MARK, *parts[1], _MIDDLE_MARK, *parts[2], _THEIRS_MARK]
        merged += [*resolved, *base_lines[base_start : base_start + length]]
        base_at, our_at, their_at = base_start + length, our_start + length, their_start + length
    return MergedText("".join(f"{line}\n" for line in merged), collisions)


def merge_fields(base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> MergedFields:
    """Merges field by field; ours counts where both changed the same field."""
    fields = {}
    collisions = {}
    for name in dict.fromkeys((*ours, *theirs)):
        base_value = base.get(name)
        our_value = ours.get(name)
        their_value = theirs.get(name)
        if our_value == base_value:
            merged_value = their_value
        else:
            merged_value = our_value
            if their_value not in (base_value, our_value):
                collisions[name] = their_value
        if merged_value is not None:
            fields[name] = merged_value
    return MergedFields(fields, collisions)


def unresolved_line(text: str) -> int:
    """Returns the line of the first mark that a collision has left in the text, or 0."""
    mark = _MARK.search(text)
    return text.count("\n", 0, mark.start()) + 1 if mark else 0


def _resolved(base: list[str], ours: list[str], theirs: list[str]) -> list[str] | None:
    """Returns the lines if at most one side changed them, or both alike; None if they collide."""
    if ours in (base, theirs):
        return theirs
    return ours if theirs == base else None


def _common_runs(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yields the runs of lines that all three texts share: their start in each text, and their length. The last run is empty, at the ends."""
    our_runs = SequenceMatcher(None, base, ours, autojunk=False).get_matching_blocks()
    their_runs = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    our_number = their_number = 0
    while our_number < len(our_runs) and their_number < len(their_runs):
        our_run = our_runs[our_number]
        their_run = their_runs[their_number]
        our_end = our_run.a + our_run.size
        their_end = their_run.a + their_run.size
        start = max(our_run.a, their_run.a)
        end = min(our_end, their_end)
        if start < end:
            yield start, our_run.b + start - our_run.a, their_run.b + start - their_run.a, end - start
        if our_end < their_end:
            our_number += 1
        else:
            their_number += 1
    yield len(base), len(ours), len(theirs), 0


@dataclass(frozen=True)
class ComparedLine:
    """A line of a comparison: "same", "added", "removed", or "skipped" for the lines left out between changes."""

    change: str
    text: str


def compare_lines(before: str, after: str, *, context: int = 2) -> list[ComparedLine]:
    """Returns the changed lines with a few unchanged ones around them."""
    old, new = before.splitlines(), after.splitlines()
    lines = []
    for number, group in enumerate(SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context)):
        if number:
            lines.append(ComparedLine("skipped", "…"))
        for kind, old_start, old_end, new_start, new_end in group:
            if kind == "equal":
                lines += _compared_lines("same", old[old_start:old_end])
            else:
                lines += [
                    *_compared_lines("removed", old[old_start:old_end]),
                    *_compared_lines("added", new[new_start:new_end]),
                ]
    return lines


def _compared_lines(change: str, lines: Sequence[str]) -> list[ComparedLine]:
    return [ComparedLine(change, line) for line in lines]

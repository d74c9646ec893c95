"""Path data written shorter draws the same lines."""

import json

import pytest

from components.art.icon import DRAWN
from components.art.mdi import TABLE
from components.art.path_data import polylines
from components.art.short_path import short_path

ICONS = json.loads(TABLE.read_text())["paths"] | DRAWN


def test_an_icon_is_shorter_and_the_same() -> None:
    for name, path in ICONS.items():
        short = short_path(path)
        before, after = polylines(path), polylines(short)
        assert len(short) <= len(path), name
        assert [len(line) for line in after] == [len(line) for line in before], name
        for line, other in zip(before, after, strict=True):
            assert [at for point in other for at in point] == pytest.approx([at for point in line for at in point]), name


@pytest.mark.parametrize(
    ("data", "short"),
    [
        ("M10,10L20,10L20,30Z", "M10 10H20V30z"),
        ("M0.5,-0.5L1.5,0.5", "M.5-.5l1 1"),
        ("M1,1L2,2L4,4", "M1 1 2 2 4 4"),
        ("M9,9A5,5 0 0,1 10,10", "M9 9a5 5 0 0 1 1 1"),
        ("M5,5H6V7ZM1,1L9,9", "M5 5H6V7zM1 1 9 9"),
    ],
)
def test_a_command_is_written_from_where_it_is_shorter(data: str, short: str) -> None:
    assert short_path(data) == short

"""What was measured is recorded part by part, compared with what is measured next, and quoted as it was measured."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.bench.part import Bar, Extent, Measured, Part, Table
from tests.bench.record import compared, keep, quotes, read, renewed

NOW = datetime(2030, 1, 2, tzinfo=UTC)


def _part(name: str) -> Part:
    return Part(name, f"The {name}", 1, 1, lambda extent: Measured())


def _measured(value: float) -> Measured:
    return Measured(
        {"speed": value}, [Table("Speeds", ("", "a second"), (("ours", f"{value}"),))], [Bar("speed", {"ours": value}, least=5)]
    )


def _recorded(**values: float) -> dict[str, object]:
    return {"bars": {"speed": {"noise": 1, "values": values}}}


def test_a_part_measured_again_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "results.md"
    for name, value in (("one", 1.0), ("two", 2.0), ("one", 3.0)):
        keep(_part(name), _measured(value), began=NOW, minutes=1, loads="0.1 before and 0.2 after", file=file)

    assert {name: part["figures"] for name, part in read(file).items()} == {"one": {"speed": 3.0}, "two": {"speed": 2.0}}
    assert read(file)["one"]["bars"]["speed"]["values"] == {"ours": 3.0}
    assert "| ours | 3.0 |" in file.read_text()
    assert "| ours | 1.0 |" not in file.read_text()
    assert "falls short" in file.read_text()


@pytest.mark.parametrize(
    ("bar", "verdict"),
    [
        (Bar("speed", {"/": 8.5}, most=20), "the same"),
        (Bar("speed", {"/": 13}, most=20), "worse"),
        (Bar("speed", {"/": 3}, most=20), "better"),
        (Bar("speed", {"/": 3}, least=2), "worse"),
        (Bar("speed", {"/": 13}, most=20, noise=9), "the same"),
        (Bar("speed", {"/": 8, "/new": 19}, most=20), "the same"),
        (Bar("another", {"/": 8}, most=20), ""),
    ],
)
def test_a_bar_is_worse_where_the_same_page_is_worse_by_more_than_the_noise(bar: Bar, verdict: str) -> None:
    assert compared(bar, _recorded(**{"/": 8})).startswith(verdict)
    assert bool(compared(bar, _recorded(**{"/": 8}))) == bool(verdict)


def test_a_quote_is_renewed_with_as_many_decimals_as_it_had() -> None:
    text = "It takes 0.9<!-- pages.lcp --> s and answers 1,000<!-- files.speed --> times."

    assert renewed(text, {"pages.lcp": 1.26, "files.speed": 13286.4}) == (
        "It takes 1.3<!-- pages.lcp --> s and answers 13,286<!-- files.speed --> times."
    )


def test_a_quote_of_what_was_never_measured_stays() -> None:
    assert renewed("5<!-- pages.nothing -->", {}) == "5<!-- pages.nothing -->"


def test_a_quote_is_its_figure_and_its_name() -> None:
    assert quotes("12,345<!-- a.b --> and 0.5<!-- c.d_e -->") == [("12,345", "a.b"), ("0.5", "c.d_e")]


def test_a_bar_holds_the_worst_value_and_is_met_on_its_edge() -> None:
    assert Bar("x", {"/": 4, "/faq": 5}, most=5).met
    assert not Bar("x", {"/": 4, "/faq": 5.01}, most=5).met
    assert Bar("x", {"/": 5, "/faq": 6}, least=5).met
    assert not Bar("x", {"/": 4.99, "/faq": 6}, least=5).met
    assert Bar("x", {"/": 4, "/faq": 5}, most=5).where == "/faq"


def test_each_extent_picks_its_own_number() -> None:
    extents = (Extent(Path()), Extent(Path(), full=True), Extent(Path(), short=True))

    assert [extent.pick(3, full=9) for extent in extents] == [3, 9, 1]

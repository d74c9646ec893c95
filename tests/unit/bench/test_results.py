"""What was measured is kept part by part, and quoted as it was measured."""

import json
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.part import Bar, Extent, Measured, Part, Table
from tests.bench.results import keep, quotes, renewed

NOW = datetime(2030, 1, 2, tzinfo=UTC)


def _part(name: str) -> Part:
    return Part(name, f"The {name}", 1, lambda extent: Measured())


def _measured(value: float) -> Measured:
    return Measured(
        {"speed": value}, [Table("Speeds", ("", "a second"), (("ours", f"{value}"),))], [Bar("speed", value, least=5)]
    )


def test_a_part_measured_again_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    for name, value in (("one", 1.0), ("two", 2.0), ("one", 3.0)):
        keep(_part(name), _measured(value), began=NOW, loads=(0.1, 0.2), short=name == "two", file=file)

    results = json.loads(file.read_text())

    assert {name: part["figures"] for name, part in results.items()} == {"one": {"speed": 3.0}, "two": {"speed": 2.0}}
    assert "| ours | 3.0 |" in file.with_suffix(".md").read_text()
    assert "falls short" in file.with_suffix(".md").read_text()


def test_a_quote_is_renewed_with_as_many_decimals_as_it_had() -> None:
    text = "It takes 0.9<!-- pages.lcp --> s and answers 1,000<!-- files.speed --> times."

    assert renewed(text, {"pages.lcp": 1.26, "files.speed": 13286.4}) == (
        "It takes 1.3<!-- pages.lcp --> s and answers 13,286<!-- files.speed --> times."
    )


def test_a_quote_of_what_was_never_measured_stays() -> None:
    assert renewed("5<!-- pages.nothing -->", {}) == "5<!-- pages.nothing -->"


def test_a_quote_is_its_figure_and_its_name() -> None:
    assert quotes("12,345<!-- a.b --> and 0.5<!-- c.d_e -->") == [("12,345", "a.b"), ("0.5", "c.d_e")]


def test_a_bar_is_met_on_its_edge_and_missed_beyond() -> None:
    assert Bar("x", 5, most=5).met
    assert Bar("x", 5, least=5).met
    assert not Bar("x", 5.01, most=5).met
    assert not Bar("x", 4.99, least=5).met


def test_a_short_run_picks_the_short_number() -> None:
    assert [Extent(short, Path()).pick(9, 1) for short in (False, True)] == [9, 1]

"""Charts in the Markdown of case studies and articles."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from site_app.content.publications import PublicationKind, PublicationMistake, publications
from site_app.content.publications.measurements import written_figures
from site_app.content.publications.prose import prose
from site_app.core.settings import Settings
from site_app.layout import machine_files

Draw = Callable[[str], str]


@pytest.fixture
def draw(articles: PublicationKind, write: Callable[..., Path]) -> Draw:
    """Returns the HTML of a text with a chart, whose fence is line 8 of the file."""

    def draw(lines: str) -> str:
        write(text=f"```chart\n{lines}\n```\n")
        return prose(publications(articles)[0].words()).html

    return draw


def test_a_bar_is_as_long_as_its_share_of_the_longest(draw: Draw) -> None:
    html = draw("title: Weight\nunit: kB\nThis website: 25\nA <template>: 1,000.5")

    assert "<figcaption>Weight</figcaption>" in html
    assert "<dt>A &lt;template&gt;</dt>" in html
    assert '<rect x="0%" width="2.5%"' in html
    assert '<rect x="0%" width="100%"' in html
    assert "<span>25 kB</span>" in html
    assert "<span>1,000.5 kB</span>" in html
    assert "style=" not in html


def test_only_a_unit_of_letters_stands_apart_from_its_figure(draw: Draw) -> None:
    assert "<span>1.03×</span>" in draw("title: Time\nunit: ×\nThis website: 1.03\nAnother: 2")
    assert "<span>38%</span>" in draw("title: Share\nunit: %\nBy hand: 38\nBy software: 62")


def test_a_range_has_a_dot_at_its_likely_figure(draw: Draw) -> None:
    html = draw("title: Days: low–likely–high\nOrders: 4–8–16\nAccounts: 2 - 3 - 4")

    assert "<figcaption>Days: low–likely–high</figcaption>" in html
    assert '<rect x="25%" width="75%" height="100%" rx="6"/><circle cx="50%"' in html
    assert "<span>2–3–4</span>" in html


def test_a_row_in_stars_stands_out(draw: Draw) -> None:
    marked = draw("title: Weight\n**This website**: 25\nAnother: 100")
    unmarked = draw("title: Weight\nThis website: 25\nAnother: 100")

    assert "<div><dt>This website</dt>" in marked
    assert '<div class="chart-plain"><dt>Another</dt>' in marked
    assert "chart-plain" not in unmarked


def test_a_chart_takes_measured_figures_and_the_colons_of_chinese(draw: Draw) -> None:
    html = draw("title：体积\n本站首页：{home_kb}\nAstroWind: {astrowind_kb}")

    assert f"<span>{written_figures()['home_kb']}</span>" in html
    assert "<dt>本站首页</dt>" in html


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("title: Weight\nThis website 25", 10, "'This website 25' is no row of a chart: write a label, a colon"),
        ("title: Weight\n: 25", 10, "is no row of a chart"),
        ("title: Weight\n\nThis website: 25 kB\nAnother: 100", 11, "'25 kB' cannot be drawn: write one figure"),
        ("title: Weight\nThis website: -25", 10, "'-25' cannot be drawn"),
        ("title: Weight\nThis website: 2,5", 10, "'2,5' cannot be drawn"),
        ("title: Days\nOrders: 4–15", 10, "'4–15' cannot be drawn"),
        ("title: Days\nOrders: 4–15–7", 10, "'4–15–7' does not rise"),
        ("title: Weight\nThis website: {nothing}", 10, "there is no figure called {nothing}"),
        ("title: Weight\ntitle: Time\nA: 1\nB: 2", 10, "the chart has a title already"),
        ("A: 1\nB: 2", 8, "the chart has no title"),
        ("title: Weight\nA: 1", 8, "a chart needs two rows or more"),
        ("title: Days\nA: 1\nB: 2–3–4", 8, "rows of one figure and rows of three"),
        ("title: Days\nA: 0\nB: 0.0", 8, "all figures of the chart are 0"),
    ],
)
def test_a_wrong_line_is_refused_with_its_number_and_what_to_write(draw: Draw, lines: str, line: int, message: str) -> None:
    with pytest.raises(PublicationMistake) as broken:
        draw(lines)

    assert f"estimates.md, line {line}: " in str(broken.value)
    assert message in str(broken.value)


def test_a_feed_has_the_labels_and_figures_of_a_chart(
    articles: PublicationKind, draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw("title: Weight\nunit: kB\nThis website: 25\nAnother: 100")
    monkeypatch.setattr(machine_files, "all_publications", lambda: publications(articles))

    machine_files.write_feeds(tmp_path, replace(Settings(), url="https://agency.example"))

    content = json.loads((tmp_path / "feed.json").read_text())["items"][0]["content_html"]
    assert "<figcaption>Weight</figcaption>" in content
    assert "<dt>This website</dt><dd><span>25 kB</span></dd>" in content
    assert "svg" not in content

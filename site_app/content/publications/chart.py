"""Charts of case studies and articles: a fenced block of Markdown becomes rows of a label, a bar and its figures.

The widths of bars are attributes of SVG, not styles: the policy allows inline styles by their hashes, and a page that React opens is under
the policy of the page before it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from site_app.content.publications.measurements import unknown_figure, with_figures

CHART = "chart"  # the language of the fenced block
_SETTING = re.compile(r"(title|unit)\s*[:：]\s*(.+)")
_ROW = re.compile(r"(.*\S)\s*[:：]\s*(.+)")
_MARKED = re.compile(r"\*\*(.+)\*\*")
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_FIGURES = re.compile(rf"({_NUMBER})(?:\s*[–-]\s*({_NUMBER})\s*[–-]\s*({_NUMBER}))?")
_HOW = "write one figure, such as 26 or 1.5, or three, such as 4–7–15 (low, likely, high); a unit has its own line, unit: kB"


@dataclass(frozen=True)
class Bar:
    """A row of a chart: one figure, or the low, the likely and the high one."""

    label: str
    figures: tuple[str, ...]
    is_marked: bool

    @property
    def amounts(self) -> tuple[float, ...]:
        return tuple(float(figure.replace(",", "")) for figure in self.figures)


@dataclass
class Chart:
    """A parsed block. `mistakes` are pairs of a line of the block, which begins with line 0, the fence, and a reason."""

    title: str = ""
    unit: str = ""
    bars: list[Bar] = field(default_factory=list)
    mistakes: list[tuple[int, str]] = field(default_factory=list)


def read_chart(block: str) -> Chart:
    """Returns the chart that the lines of a block describe, with measured figures for {placeholders}, and all mistakes."""
    chart = Chart()
    for number, line in enumerate(block.splitlines(), start=1):
        if line.strip():
            chart.mistakes += [(number, reason) for reason in _read_line(chart, line.strip())]
    if not chart.mistakes:
        chart.mistakes += [(0, reason) for reason in _problems(chart)]
    return chart


def _read_line(chart: Chart, line: str) -> Iterator[str]:
    """Adds a line to the chart, or yields why it cannot."""
    if name := unknown_figure(line):
        yield f"there is no figure called {{{name}}}"
        return
    line = with_figures(line)
    if setting := _SETTING.fullmatch(line):
        name, value = setting.groups()
        if getattr(chart, name):
            yield f"the chart has a {name} already: leave one of them out"
        setattr(chart, name, value)
        return
    row = _ROW.fullmatch(line)
    if not row:
        yield f"{line!r} is no row of a chart: write a label, a colon and its figure, such as Drafts: 12"
        return
    name, value = row.groups()
    figures = _FIGURES.fullmatch(value)
    if not figures:
        yield f"{value!r} cannot be drawn: {_HOW}"
        return
    marked = _MARKED.fullmatch(name)
    bar = Bar(marked[1] if marked else name, tuple(filter(None, figures.groups())), is_marked=bool(marked))
    if list(bar.amounts) != sorted(bar.amounts):
        yield f"{value!r} does not rise: write the low, the likely and the high figure in this order"
    chart.bars.append(bar)


def _problems(chart: Chart) -> Iterator[str]:
    """Yields what is wrong with the chart as a whole."""
    if not chart.title:
        yield "the chart has no title: add a line title: and what its bars compare"
    if len(chart.bars) < 2:
        yield "a chart needs two rows or more, such as Drafts: 12"
    elif len({len(bar.figures) for bar in chart.bars}) > 1:
        yield "the chart has rows of one figure and rows of three: write a chart for each kind"
    elif not _longest(chart.bars):
        yield "all figures of the chart are 0, so it has nothing to draw"


def chart_html(chart: Chart) -> str:
    """Returns the chart as HTML. Without the drawings, as in a feed, it is a list of labels and figures."""
    longest = _longest(chart.bars)
    has_marks = any(bar.is_marked for bar in chart.bars)
    rows = (_row_html(bar, chart.unit, longest, is_plain=has_marks and not bar.is_marked) for bar in chart.bars)
    return f'<figure class="chart"><figcaption>{escape(chart.title)}</figcaption><dl>{"".join(rows)}</dl></figure>\n'


def _row_html(bar: Bar, unit: str, longest: float, *, is_plain: bool) -> str:
    look = ' class="chart-plain"' if is_plain else ""
    space = " " if unit[:1].isalpha() else ""  # 28 kB, but 1.03×
    figures = escape(f"{'–'.join(bar.figures)}{space}{unit}")
    return f"<div{look}><dt>{escape(bar.label)}</dt><dd>{_drawing(bar, longest)}<span>{figures}</span></dd></div>"


def _drawing(bar: Bar, longest: float) -> str:
    """Returns the bar as SVG: from zero to its figure, or from the low to the high figure with a dot at the likely one."""
    places = [round(100 * amount / longest, 2) for amount in bar.amounts]
    begin, end = (places[0], places[-1]) if len(places) > 1 else (0, places[0])
    shape = f'<rect x="{begin:g}%" width="{end - begin:g}%" height="100%" rx="6"/>'
    if len(places) > 1:
        shape += f'<circle cx="{places[1]:g}%" cy="50%" r="5"/>'
    return f'<svg aria-hidden="true" width="100%" height="14">{shape}</svg>'


def _longest(bars: Sequence[Bar]) -> float:
    return max(bar.amounts[-1] for bar in bars)

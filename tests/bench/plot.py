"""A small plot of cost over work, both on logarithmic scales, with the exponent of the line through it; as SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 46, 52
# A page shows an SVG as a picture: its own media query is what knows whether the reader's system is dark.
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1f1633}.t{font-weight:600;font-size:15px}.g{stroke:#1f163322}.l{stroke:#6141ac;fill:none;"
    "stroke-width:2}.f{stroke:#6141ac88;stroke-dasharray:5 5;fill:none}.d{fill:#6141ac}.b{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#ece6fb}.g{stroke:#ece6fb2e}.l{stroke:#bda7f5}.f{stroke:#bda7f588}.d{fill:#bda7f5}.b{fill:#120d1d}}"
)
Point = tuple[float, float]


@dataclass(frozen=True)
class Growth:
    """How cost follows work: cost ≈ factor · work ** exponent."""

    exponent: float
    factor: float

    def at(self, work: float) -> float:
        return self.factor * work**self.exponent


def growth(points: Sequence[Point]) -> Growth:
    """The least-squares line through the logarithms; work and cost must be above zero."""
    logs = [(math.log(work), math.log(cost)) for work, cost in points]
    middle_x, middle_y = (sum(one[axis] for one in logs) / len(logs) for axis in (0, 1))
    spread = sum((x - middle_x) ** 2 for x, _ in logs)
    if not spread:
        raise ValueError("growth needs at least two amounts of work")
    exponent = sum((x - middle_x) * (y - middle_y) for x, y in logs) / spread
    return Growth(exponent, math.exp(middle_y - exponent * middle_x))


def plot(title: str, points: Sequence[Point], *, work: str, cost: str) -> str:
    """The drawing, readable in light and dark."""
    fit = growth(points)
    across = _scale([x for x, _ in points], LEFT, WIDTH - RIGHT)
    costs = [y for _, y in points]
    up = _scale([min(costs) / 2, max(costs) * 2], HEIGHT - BOTTOM, TOP)
    line = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
    ends = [min(points)[0], max(points)[0]]
    fitted = " ".join(f"{across(x):.1f},{up(fit.at(x)):.1f}" for x in ends)
    marks = [f'<circle class="d" cx="{across(x):.1f}" cy="{up(y):.1f}" r="4"/>' for x, y in points]
    columns = [
        f'<text x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{_short(x)}</text>' for x, _ in points
    ]
    rows = [
        f'<path class="g" d="M{LEFT} {up(y):.1f}H{WIDTH - RIGHT}"/><text x="{LEFT - 8}" y="{up(y) + 4:.1f}" text-anchor="end">{_short(y)}</text>'
        for y in _ticks(min(costs) / 2, max(costs) * 2)
    ]
    said = f"{title}: {cost} grows as {work} to the power of {fit.exponent:.2f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{said}">'
        f'<style>{_STYLE}</style><rect class="b" width="{WIDTH}" height="{HEIGHT}" rx="8"/><text class="t" x="{LEFT}" y="26">{title}</text>'
        f'<text x="{WIDTH - RIGHT}" y="26" text-anchor="end">exponent {fit.exponent:.2f}</text>{"".join(rows)}{"".join(columns)}'
        f'<polyline class="f" points="{fitted}"/><polyline class="l" points="{line}"/>{"".join(marks)}'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{work}</text>'
        f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">{cost}</text></svg>\n'
    )


class _Scale:
    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low, self._span = math.log(low), (math.log(high) - math.log(low)) or 1.0
        self._start, self._length = start, end - start

    def __call__(self, value: float) -> float:
        return self._start + self._length * (math.log(value) - self._low) / self._span


def _scale(values: Sequence[float], start: float, end: float) -> _Scale:
    return _Scale(min(values), max(values), start, end)


def _ticks(low: float, high: float) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
    return [tick for tick in every if low <= tick <= high]


def _short(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"

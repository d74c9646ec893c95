"""SVG path data as polylines, curves flattened: the part of the language that our own drawings speak."""

import math
import re
from collections.abc import Iterator
from itertools import pairwise

Point = tuple[float, float]
Polyline = list[Point]

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_STEPS = 24


def polylines(data: str) -> list[Polyline]:
    """The subpaths of path data, each a list of points; refuses a command it does not know."""
    lines: list[Polyline] = []
    here: Point = (0, 0)
    control: Point | None = None
    for command, written in commands(data):
        name, numbers = command.upper(), [float(one) for one in written]
        if name == "M":
            here = _absolute(command, numbers, here)[0]
            lines.append([here])
        elif name == "Z":
            lines[-1].append(here := lines[-1][0])
        elif name == "A":
            end = _absolute(command, numbers[5:], here)[0]
            lines[-1] += _arc(here, end, numbers)
            here = end
        else:
            if lines[-1][-1] != here or _closed(lines[-1]):
                lines.append([here])
            points = _absolute(command, numbers, here)
            mirrored = (2 * here[0] - control[0], 2 * here[1] - control[1]) if control and name in "ST" else here
            curve = [mirrored, *points] if name in "ST" else points
            lines[-1] += [_bezier([here, *curve], step / _STEPS) for step in range(1, _STEPS + 1)] if len(curve) > 1 else curve
            control = curve[-2] if len(curve) > 1 else None
            here = points[-1]
            continue
        control = None
    return lines


def numbers(text: str) -> list[float]:
    """The numbers of a list as SVG writes them: the sign of the next may stand for the comma."""
    return [float(token) for token in _TOKEN.findall(text)]


def commands(data: str) -> Iterator[tuple[str, list[str]]]:
    """Each command with its numbers as they are written; one that is only implied is named too."""
    tokens = _TOKEN.findall(data)
    command = ""
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
        elif command in "Mm":
            command = {"M": "L", "m": "l"}[command]
        count = _ARGUMENTS[command.upper()]
        yield command, tokens[:count]
        del tokens[:count]


def _absolute(command: str, numbers: list[float], here: Point) -> list[Point]:
    x, y = here if command.islower() else (0.0, 0.0)
    if command in "Hh":
        return [(x + numbers[0], here[1])]
    if command in "Vv":
        return [(here[0], y + numbers[0])]
    return [(x + a, y + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]


def _closed(line: Polyline) -> bool:
    return len(line) > 2 and line[0] == line[-1]


def _bezier(points: list[Point], t: float) -> Point:
    while len(points) > 1:
        points = [(a + (c - a) * t, b + (d - b) * t) for (a, b), (c, d) in pairwise(points)]
    return points[0]


def _arc(start: Point, end: Point, numbers: list[float]) -> Polyline:
    """An upright elliptic arc from its end points, as SVG's implementation notes derive its centre."""
    rx, ry, _, large, sweep = numbers[:5]
    squeeze = rx / ry
    dx, dy = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2 * squeeze
    half = math.hypot(dx, dy)
    radius = max(rx, half)
    away = math.sqrt(max(radius**2 - half**2, 0)) / half * (1 if large != sweep else -1)
    centre = (start[0] + dx - dy * away, start[1] * squeeze + dy + dx * away)
    first = math.atan2(start[1] * squeeze - centre[1], start[0] - centre[0])
    last = math.atan2(end[1] * squeeze - centre[1], end[0] - centre[0])
    turn = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    angles = [first + turn * step / _STEPS for step in range(1, _STEPS)]
    return [(centre[0] + radius * math.cos(a), (centre[1] + radius * math.sin(a)) / squeeze) for a in angles] + [end]

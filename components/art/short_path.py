"""The same path data in fewer characters, to the last digit: each command from where it stands or from the corner, as is shorter."""

import re
from decimal import Decimal

from components.art.path_data import commands

_ONE_NUMBER = {"H": 0, "V": 1}


def short_path(data: str) -> str:
    """Path data that draws exactly the same; refuses a command it does not know."""
    here = start = (Decimal(0), Decimal(0))
    written, last = "", ""
    for command, numbers in commands(data):
        name, values = command.upper(), [Decimal(number) for number in numbers]
        if name == "Z":
            written, last, here = written + "z", "z", start
            continue
        moved = here if command.islower() else (Decimal(0), Decimal(0))
        points = [value + moved[_axis(name, place)] if _moves(name, place) else value for place, value in enumerate(values)]
        from_here = [value - here[_axis(name, place)] if _moves(name, place) else value for place, value in enumerate(points)]
        end = _end(name, points, here)
        if name == "L" and end[0] == here[0]:
            name, points, from_here = "V", points[1:], from_here[1:]
        elif name == "L" and end[1] == here[1]:
            name, points, from_here = "H", points[:1], from_here[:1]
        choices = [_written(name, points, last), _written(name.lower(), from_here, last)]
        shortest = min(choices, key=len)
        last = name if shortest is choices[0] else name.lower()
        written, here = written + shortest, end
        if name == "M":
            start, last = here, {"M": "L", "m": "l"}[last]
    return written


def _moves(name: str, place: int) -> bool:
    return name != "A" or place > 4  # the radii, the angle and the flags of an arc stand for themselves


def _axis(name: str, place: int) -> int:
    return _ONE_NUMBER.get(name, (place + 1) % 2 if name == "A" else place % 2)


def _end(name: str, points: list[Decimal], here: tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal]:
    if name in _ONE_NUMBER:
        return (points[0], here[1]) if name == "H" else (here[0], points[0])
    return points[-2], points[-1]


def _written(command: str, values: list[Decimal], last: str) -> str:
    """One command behind `last`, whose letter need not be said again."""
    text = "" if command == last else command
    for place, value in enumerate(values):
        number = _number(value)
        apart = number.startswith("-") or (not place and text)
        text += number if apart else f" {number}"
    return text


def _number(value: Decimal) -> str:
    return re.sub(r"^(-?)0(?=\.)", r"\1", f"{value.normalize():f}") if value else "0"

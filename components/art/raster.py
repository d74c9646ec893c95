"""Paints the site's own drawings with Pillow, for pictures that leave the site: the same classes, in fixed colours."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass, replace

from PIL import Image, ImageChops, ImageDraw

from components.art.path_data import Polyline, numbers, polylines

Matrix = tuple[float, float, float, float, float, float]
_RECT = "M{x} {y}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1-{r} {r}h-{w}a{r} {r} 0 0 1-{r}-{r}v-{h}a{r} {r} 0 0 1 {r}-{r}z"
_SIZES = frozenset({"x", "y", "width", "height", "rx", "ry", "r", "cx", "cy"})
_OVAL = "M{left} {y}A{rx} {ry} 0 0 1 {right} {y}A{rx} {ry} 0 0 1 {left} {y}Z"


@dataclass(frozen=True)
class Paint:
    """What a class adds: a fill, a stroke and its width in the drawing's own pixels."""

    fill: str | None = None
    stroke: str | None = None
    width: float | None = None


def paint(svg: str, *, onto: Image.Image, scale: float, at: tuple[float, float], paints: dict[str, Paint]) -> None:
    """Draws the shapes of an SVG in their order; knows what our own figures use and refuses other elements."""
    root = ET.fromstring(svg)  # noqa: S314 – our own file
    _draw(root, (scale, 0, 0, scale, *at), Paint(), onto, paints)


def _draw(element: ET.Element, matrix: Matrix, inherited: Paint, onto: Image.Image, paints: dict[str, Paint]) -> None:
    own = inherited
    for name in element.get("class", "").split():
        added = paints.get(name, Paint())
        own = replace(own, **{key: value for key, value in vars(added).items() if value is not None})
    if element.get("stroke") == "none":
        own = replace(own, stroke=None)
    matrix = _times(matrix, element.get("transform"))
    lines = [[_moved(matrix, point) for point in line] for line in polylines(_outline(element))]
    if lines and own.fill:
        _fill(lines, own.fill, onto)
    if lines and own.stroke:
        pen = ImageDraw.Draw(onto)
        for line in lines:
            dot = own.width or 1
            pen.line(line, fill=own.stroke, width=round(dot), joint="curve")
            if len(set(line)) == 1:
                (x, y) = line[0]
                pen.ellipse((x - dot / 2, y - dot / 2, x + dot / 2, y + dot / 2), fill=own.stroke)
    for child in element:
        _draw(child, matrix, own, onto, paints)


def _outline(element: ET.Element) -> str:
    """Any shape as path data; a group has none."""
    size = {key: float(value) for key, value in element.attrib.items() if key in _SIZES}
    match element.tag:
        case "path":
            return element.attrib["d"]
        case "rect":
            r = size["rx"]
            return _RECT.format(
                x=size.get("x", 0) + r, y=size.get("y", 0), r=r, w=size["width"] - 2 * r, h=size["height"] - 2 * r
            )
        case "circle" | "ellipse":
            rx, ry = size.get("rx", size.get("r", 0)), size.get("ry", size.get("r", 0))
            x, y = size.get("cx", 0), size.get("cy", 0)
            return _OVAL.format(left=x - rx, right=x + rx, y=y, rx=rx, ry=ry)
        case "g" | "svg":
            return ""
    raise ValueError(f"no way to paint <{element.tag}>")


def _fill(lines: list[Polyline], colour: str, onto: Image.Image) -> None:
    """Where subpaths lie in each other, the inner one is a hole."""
    shapes = [line for line in lines if len(line) > 2]
    if len(shapes) == 1:
        ImageDraw.Draw(onto).polygon(shapes[0], fill=colour)
        return
    mask = Image.new("1", onto.size)
    for line in shapes:
        layer = Image.new("1", onto.size)
        ImageDraw.Draw(layer).polygon(line, fill=1)
        mask = ImageChops.logical_xor(mask, layer)
    onto.paste(Image.new(onto.mode, onto.size, colour), mask=mask)


def _times(matrix: Matrix, transform: str | None) -> Matrix:
    if transform is None:
        return matrix
    a, b, c, d, e, f = matrix
    p, q, r, s, t, u = numbers(transform.removeprefix("matrix(").removesuffix(")"))
    return a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f


def _moved(matrix: Matrix, point: tuple[float, float]) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f

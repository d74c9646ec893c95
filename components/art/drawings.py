"""The site's drawings in the theme's colours: inline, or rendered to pictures by resvg."""

import io
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import reflex as rx

if TYPE_CHECKING:
    from PIL import Image

DRAWINGS = Path(__file__).parent / "drawings"
_SVG = re.compile(r'<svg viewBox="([\d .-]+)">(.*)</svg>\s*', re.DOTALL)


def illustration(name: str, *, label: str = "", class_name: str = "") -> rx.Component:
    """Returns a drawing from the folder drawings; screen readers skip it unless it has a label. Raises an error for an unknown name."""
    return _inline_svg(DRAWINGS / f"{name}.svg", label=label, class_name=f"a-art {class_name}")


def _inline_svg(file: Path, *, label: str, class_name: str) -> rx.Component:
    """Returns the drawing with its shapes as raw HTML, so that React manages one element instead of a hundred."""
    view_box, inside = drawing_parts(file)
    accessibility = {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
    return rx.el.svg(
        view_box=view_box,
        class_name=class_name.strip(),
        custom_attrs={"dangerouslySetInnerHTML": {"__html": inside}, **accessibility},
    )


@cache
def drawing_parts(file: Path) -> tuple[str, str]:
    """Returns the view box and the shapes of a drawing."""
    match = _SVG.fullmatch(file.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{file.name} is not one <svg viewBox> element")
    return match[1], match[2]


def render(svg: str, *, width: int, style: str = "") -> "Image.Image":
    """Renders the drawing at that width, with a stylesheet for its classes."""
    # Not above: a server imports this module, but has no resvg_py (it is not in requirements.txt) and draws nothing with Pillow.
    from PIL import Image
    from resvg_py import svg_to_bytes

    return Image.open(io.BytesIO(svg_to_bytes(svg_string=svg, width=width, style_sheet=style, skip_system_fonts=True)))

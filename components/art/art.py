"""The site's own drawings in the theme's colours, inline or rendered to pictures by resvg; and the headline font for a script to load."""

import io
import re
from functools import cache
from pathlib import Path

import reflex as rx
from PIL import Image
from resvg_py import svg_to_bytes

FIGURES = Path(__file__).parent / "figures"
_SVG = re.compile(r'<svg viewBox="([\d .-]+)">(.*)</svg>\s*', re.DOTALL)


def figure(name: str, *, label: str = "", class_name: str = "") -> rx.Component:
    """Returns a drawing from the folder figures; screen readers skip it unless it has a label. Raises an error for an unknown name."""
    return _drawing(FIGURES / f"{name}.svg", label=label, class_name=f"a-art {class_name}")


def _drawing(file: Path, *, label: str, class_name: str) -> rx.Component:
    """Returns the drawing with its shapes as raw HTML, so that React manages one element instead of a hundred."""
    view_box, inside = drawing(file)
    accessibility = {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
    return rx.el.svg(
        view_box=view_box,
        class_name=class_name.strip(),
        custom_attrs={"dangerouslySetInnerHTML": {"__html": inside}, **accessibility},
    )


@cache
def drawing(file: Path) -> tuple[str, str]:
    """Returns the view box and the shapes of a drawing."""
    match = _SVG.fullmatch(file.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{file.name} is not one <svg viewBox> element")
    return match[1], match[2]


HEADLINE_FONT = ("Instrument Sans", "url(/fonts/instrument-sans-640.woff2)", {"weight": "500 800"})
HEADLINE_LANGUAGE = "en"  # the font only contains the letters of this language


def rendered(svg: str, *, width: int, style: str = "") -> Image.Image:
    """Renders the drawing at that width, with a stylesheet for its classes."""
    return Image.open(io.BytesIO(svg_to_bytes(svg_string=svg, width=width, style_sheet=style, skip_system_fonts=True)))

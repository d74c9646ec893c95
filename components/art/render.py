"""Drawings as pictures, by resvg."""

import io

from PIL import Image
from resvg_py import svg_to_bytes


def rendered(svg: str, *, width: int, style: str = "") -> Image.Image:
    """The drawing at that width, with a stylesheet for its classes."""
    return Image.open(io.BytesIO(svg_to_bytes(svg_string=svg, width=width, style_sheet=style, skip_system_fonts=True)))

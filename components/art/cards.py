"""Cards: the sharing pictures of pages. A card shows a page's title, its drawing and the brand; the same input gives the same bytes."""

import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from components.art.drawings import DRAWINGS, drawing_parts, render

CARD_WIDTH = 1200  # pixels
CARD_HEIGHT = 630
_FONT = Path(__file__).parents[2] / "assets" / "fonts" / "instrument-sans-640.woff2"
# The characters in the subset font; for a title with any other character (Thai, Chinese) the picture shows the brand's name.
_WRITABLE = re.compile("[ -~\u00a0£©«·»×é–—‘’“”…€]+")
_THREAD = re.compile(r'class="a-thread" d="M([\d.]+)(?: 0|-\d+)V')
_OVERSIZE = 2
_MARGIN = 72
_COLUMN = 470 * _OVERSIZE


@dataclass(frozen=True)
class Palette:
    """The colours of the picture, each as #rrggbb."""

    ground: str
    paper: str
    ink: str
    primary: str


def draw_card(title: str, illustration_name: str, *, brand: str, palette: Palette) -> bytes:
    """Draws a PNG under 60 kB; shows the brand's name, set large, if the font lacks characters of the title."""
    writable = _WRITABLE.fullmatch(title) is not None
    picture = _scene(illustration_name, palette).copy()
    pen = ImageDraw.Draw(picture)
    if writable:
        pen.text(((_MARGIN + 44) * _OVERSIZE, 47 * _OVERSIZE), brand, font=_face(36 * _OVERSIZE), fill=palette.ink)
    lines, size = _fitting_lines(title if writable else brand)
    height = len(lines) * size * 1.06
    top = (CARD_HEIGHT * _OVERSIZE - height) / 2 + 20 * _OVERSIZE
    for row, text in enumerate(lines):
        pen.text((_MARGIN * _OVERSIZE, top + row * size * 1.06), text, font=_face(size), fill=palette.ink)
    return _card_png(picture)


@cache
def _scene(illustration_name: str, palette: Palette) -> Image.Image:
    """Draws the illustration and the mark, each on a thread that begins at the upper edge of the picture."""
    box, inside = drawing_parts(DRAWINGS / f"{illustration_name}.svg")
    width, height = (float(side) for side in box.split()[2:])
    scale = min(640 / width, 560 / height)
    x, y = CARD_WIDTH - 20 - width * scale, CARD_HEIGHT - 30 - height * scale
    if thread := _THREAD.search(inside):
        inside = f'<path class="a-thread" d="M{thread[1]}-400V0"/>{inside}'
    _, mark = drawing_parts(DRAWINGS / "mark.svg")
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" fill="none" stroke-linecap="round">'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" fill="{palette.ground}"/>'
        f'<g transform="translate({x} {y}) scale({scale})">{inside}</g>'
        f'<g transform="translate({_MARGIN - 16} 44) scale(1.8)"><path class="a-mark" d="M10.3-40h1.4v41h-1.4z"/>{mark}</g></svg>'
    )
    return render(svg, width=CARD_WIDTH * _OVERSIZE, style=_style(palette, scale)).convert("RGB")


def _style(palette: Palette, scale: float) -> str:
    """Returns the styles of the drawings' classes: the tones of components/art/art.css, and lines wide enough for a small display."""
    primary = palette.primary
    paper = palette.paper
    strokes = {
        "a-line": (_mixed(primary, 0.22, paper), 1),
        "a-ink": (primary, 1.5),
        "a-thread": (primary, 2),
        "a-bold": (primary, 4),
        "a-dash": (_mixed(primary, 0.45, paper), 1),
    }
    fills = {
        "a-paper": paper,
        "a-soft": _mixed(primary, 0.06, paper),
        "a-tint": _mixed(primary, 0.15, paper),
        "a-mid": _mixed(primary, 0.58, "#ffffff"),
        "a-deep": _mixed(primary, 0.76, "#14101f"),
        "a-fill": primary,
        "a-mark": primary,
    }
    rules = [f".{name}{{stroke:{color};stroke-width:{width / scale}}}" for name, (color, width) in strokes.items()]
    rules += [f".a-q{{stroke-width:{7 / scale}}}.a-light{{stroke:{paper}}}"]
    return "".join([*rules, *(f".{name}{{fill:{color}}}" for name, color in fills.items())])


def _mixed(color: str, share: float, ground: str) -> str:
    pairs = zip(*(bytes.fromhex(color_text.removeprefix("#")) for color_text in (color, ground)), strict=True)
    return "#" + bytes(round(over * share + under * (1 - share)) for over, under in pairs).hex()


def _fitting_lines(text: str) -> tuple[list[str], int]:
    """Returns the lines and the largest font size at which the text fits into four lines of the left half."""
    for size in range(76 * _OVERSIZE, 30 * _OVERSIZE, -4):
        rows = _wrapped(text, _face(size))
        if len(rows) <= 4 and max(_face(size).getlength(row) for row in rows) <= _COLUMN:
            return rows, size
    return _wrapped(text, _face(30 * _OVERSIZE)), 30 * _OVERSIZE


def _wrapped(text: str, face: ImageFont.FreeTypeFont) -> list[str]:
    rows = [""]
    for word in text.split():
        longer = f"{rows[-1]} {word}".strip()
        if face.getlength(longer) <= _COLUMN or not rows[-1]:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


@cache
def _face(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONT, size)


def _card_png(picture: Image.Image) -> bytes:
    small = picture.resize((CARD_WIDTH, CARD_HEIGHT), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.quantize(48, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()

"""The picture a page is shared with: its title, its figure and the brand, 1200 × 630, the same bytes every time."""

import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from components.art.raster import Paint, paint

WIDTH, HEIGHT = 1200, 630
_ROOM = Path(__file__).parent
_FONT = _ROOM.parents[1] / "assets" / "fonts" / "instrument-sans-640.woff2"
# What the face was cut down to; a title with any other character (Thai, Chinese) is left to the page's own card.
_WRITABLE = re.compile("[ -~\u00a0£©«·»×é–—‘’“”…€]+")
_OVERSIZE = 2
_MARGIN = 72
_COLUMN = 470 * _OVERSIZE


@dataclass(frozen=True)
class Palette:
    """The colours of the picture, each as #rrggbb."""

    ground: str
    paper: str
    ink: str
    ink_soft: str
    primary: str


def draw(title: str, figure: str, *, brand: str, palette: Palette, line: str = "") -> bytes:
    """A PNG under 60 kB; a title the face cannot write gives way to the brand's name, set large."""
    writable = _WRITABLE.fullmatch(title) is not None
    picture = _scene(figure, palette).copy()
    pen = ImageDraw.Draw(picture)
    _sign(picture, pen, brand if writable else "", palette)
    words, size = _fitted(title if writable else brand)
    height = len(words) * size * 1.06
    top = (HEIGHT * _OVERSIZE - height) / 2 + 20 * _OVERSIZE
    for row, text in enumerate(words):
        pen.text((_MARGIN * _OVERSIZE, top + row * size * 1.06), text, font=_face(size), fill=palette.ink)
    if line and _WRITABLE.fullmatch(line):
        pen.text((_MARGIN * _OVERSIZE, (HEIGHT - 92) * _OVERSIZE), line, font=_face(26 * _OVERSIZE), fill=palette.ink_soft)
    return _png(picture)


def _sign(picture: Image.Image, pen: ImageDraw.ImageDraw, brand: str, palette: Palette) -> None:
    """The mark on its thread from the upper edge, and the name beside it."""
    mark = (_ROOM / "figures" / "mark.svg").read_text(encoding="utf-8").replace("M10.3 0h1.4v8", "M10.3-40h1.4v48")
    side = 1.8 * _OVERSIZE
    paint(mark, onto=picture, scale=side, at=((_MARGIN - 16) * _OVERSIZE, 44 * _OVERSIZE), paints=_paints(palette))
    pen.text(((_MARGIN + 44) * _OVERSIZE, 47 * _OVERSIZE), brand, font=_face(36 * _OVERSIZE), fill=palette.ink)


@cache
def _scene(figure: str, palette: Palette) -> Image.Image:
    svg = (_ROOM / "figures" / f"{figure}.svg").read_text(encoding="utf-8")
    width, height = (float(side) for side in re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
    scale = min(640 / width, 560 / height) * _OVERSIZE
    at = ((WIDTH - 20) * _OVERSIZE - width * scale, (HEIGHT - 30) * _OVERSIZE - height * scale)
    picture = Image.new("RGB", (WIDTH * _OVERSIZE, HEIGHT * _OVERSIZE), palette.ground)
    # The thread comes from the upper edge of the picture, however low the figure stands.
    threaded = re.sub(r'(class="a-thread" d="M[\d.]+)(?: 0|-\d+)V', r"\1-400V", svg)
    paint(threaded, onto=picture, scale=scale, at=at, paints=_paints(palette))
    return picture


def _paints(palette: Palette) -> dict[str, Paint]:
    """What the drawings' classes mean here: the tones that components/art/art.css mixes, and lines wide enough for a picture shown small."""
    primary, paper = palette.primary, palette.paper
    return {
        "a-line": Paint(stroke=_mixed(primary, 0.22, paper), width=2),
        "a-ink": Paint(stroke=primary, width=3),
        "a-thread": Paint(stroke=primary, width=4),
        "a-bold": Paint(stroke=primary, width=8),
        "a-q": Paint(width=14),
        "a-light": Paint(stroke=paper),
        "a-dash": Paint(stroke=_mixed(primary, 0.45, paper), width=2),
        "a-paper": Paint(fill=paper),
        "a-soft": Paint(fill=_mixed(primary, 0.06, paper)),
        "a-tint": Paint(fill=_mixed(primary, 0.15, paper)),
        "a-mid": Paint(fill=_mixed(primary, 0.58, "#ffffff")),
        "a-deep": Paint(fill=_mixed(primary, 0.76, "#14101f")),
        "a-fill": Paint(fill=primary),
        "a-mark": Paint(fill=primary),
    }


def _mixed(color: str, share: float, ground: str) -> str:
    pairs = zip(*(bytes.fromhex(one.removeprefix("#")) for one in (color, ground)), strict=True)
    return "#" + bytes(round(over * share + under * (1 - share)) for over, under in pairs).hex()


def _fitted(text: str) -> tuple[list[str], int]:
    """The largest size at which the words fill at most four lines of the left half."""
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


def _png(picture: Image.Image) -> bytes:
    small = picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    written = io.BytesIO()
    small.quantize(48, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
    return written.getvalue()

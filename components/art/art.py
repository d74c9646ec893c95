"""The site's drawings in the theme's colours, inline or rendered to pictures by resvg: icons of tabs and home screens, cards.

A card is the sharing picture of a page: its title, its drawing and the brand; the same input gives the same bytes. Also names the
headline font, for a script to load.
"""

import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import reflex as rx
from PIL import Image, ImageDraw, ImageFont

DRAWINGS = Path(__file__).parent / "drawings"
_SVG = re.compile(r'<svg viewBox="([\d .-]+)">(.*)</svg>\s*', re.DOTALL)


def illustration(name: str, *, label: str = "", class_name: str = "") -> rx.Component:
    """Returns a drawing from the folder drawings; screen readers skip it unless it has a label. Raises an error for an unknown name."""
    return _drawing(DRAWINGS / f"{name}.svg", label=label, class_name=f"a-art {class_name}")


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
    from resvg_py import svg_to_bytes  # not above: requirements.txt, from which the site is served, does not have it

    return Image.open(io.BytesIO(svg_to_bytes(svg_string=svg, width=width, style_sheet=style, skip_system_fonts=True)))


_ICON_BOX = 32  # the side of the square icon, in the mark's units
_ICON_ROUND = 7 / 32  # the corner radius, as a share of the icon's side


@dataclass(frozen=True)
class IconColors:
    ground: str
    mark: str


def icon_files(light: IconColors, dark: IconColors) -> dict[str, bytes]:
    """Returns every icon by its path below the site's root. The SVG follows the system's theme, the pictures use the light one."""
    tab = io.BytesIO()
    _icon_image(48, light, rounded=True).save(tab, "ICO", sizes=[(16, 16), (32, 32), (48, 48)])
    return {
        "favicon.svg": _svg(light, dark).encode(),
        "favicon.ico": tab.getvalue(),
        "apple-touch-icon.png": _png(_icon_image(180, light, share=0.75)),
        "icons/icon-512.png": _png(_icon_image(512, light, rounded=True)),
    }


def _svg(light: IconColors, dark: IconColors) -> str:
    style = (
        f".ground{{fill:{light.ground}}}.a-mark{{fill:{light.mark}}}"
        f"@media(prefers-color-scheme:dark){{.ground{{fill:{dark.ground}}}.a-mark{{fill:{dark.mark}}}}}"
    )
    return _square(f"<style>{style}</style>", _brand_mark(), rounded=True)


def _icon_image(side: int, colors: IconColors, *, share: float = 1, rounded: bool = False) -> Image.Image:
    """Draws a square with the mark in its middle and the thread from the upper edge; `share` is the mark's share of the height."""
    middle = f"translate({_ICON_BOX / 2} {_ICON_BOX / 2}) scale({share}) translate(-{_ICON_BOX / 2} -{_ICON_BOX / 2})"
    threaded = f'<g transform="{middle}"><path class="a-mark" d="M10.3-40h1.4v41h-1.4z"/>{_brand_mark()}</g>'
    style = f".ground{{fill:{colors.ground}}}.a-mark{{fill:{colors.mark}}}"
    return rendered(_square("", threaded, rounded=rounded), width=side, style=style)


def _square(style: str, shapes: str, *, rounded: bool) -> str:
    ground = (
        f'<rect class="ground" width="{_ICON_BOX}" height="{_ICON_BOX}" rx="{_ICON_ROUND * _ICON_BOX if rounded else 0:g}"/>'
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_ICON_BOX} {_ICON_BOX}">{style}{ground}{shapes}</svg>'


def _brand_mark() -> str:
    return drawing(DRAWINGS / "mark.svg")[1]


def _png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.quantize(64).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


WIDTH = 1200  # of a card, in pixels
HEIGHT = 630
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


def draw(title: str, illustration_name: str, *, brand: str, palette: Palette) -> bytes:
    """Draws a PNG under 60 kB; shows the brand's name, set large, if the font lacks characters of the title."""
    writable = _WRITABLE.fullmatch(title) is not None
    picture = _scene(illustration_name, palette).copy()
    pen = ImageDraw.Draw(picture)
    if writable:
        pen.text(((_MARGIN + 44) * _OVERSIZE, 47 * _OVERSIZE), brand, font=_face(36 * _OVERSIZE), fill=palette.ink)
    lines, size = _fitting_lines(title if writable else brand)
    height = len(lines) * size * 1.06
    top = (HEIGHT * _OVERSIZE - height) / 2 + 20 * _OVERSIZE
    for row, text in enumerate(lines):
        pen.text((_MARGIN * _OVERSIZE, top + row * size * 1.06), text, font=_face(size), fill=palette.ink)
    return _card_png(picture)


@cache
def _scene(illustration_name: str, palette: Palette) -> Image.Image:
    """Draws the illustration and the mark, each on a thread that begins at the upper edge of the picture."""
    box, inside = drawing(DRAWINGS / f"{illustration_name}.svg")
    width, height = (float(side) for side in box.split()[2:])
    scale = min(640 / width, 560 / height)
    x, y = WIDTH - 20 - width * scale, HEIGHT - 30 - height * scale
    if thread := _THREAD.search(inside):
        inside = f'<path class="a-thread" d="M{thread[1]}-400V0"/>{inside}'
    _, mark = drawing(DRAWINGS / "mark.svg")
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none" stroke-linecap="round">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{palette.ground}"/>'
        f'<g transform="translate({x} {y}) scale({scale})">{inside}</g>'
        f'<g transform="translate({_MARGIN - 16} 44) scale(1.8)"><path class="a-mark" d="M10.3-40h1.4v41h-1.4z"/>{mark}</g></svg>'
    )
    return rendered(svg, width=WIDTH * _OVERSIZE, style=_style(palette, scale)).convert("RGB")


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
    small = picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.quantize(48, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()

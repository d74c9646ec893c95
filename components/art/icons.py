"""The site's icons, drawn from its mark: for tabs, home screens and other sites."""

import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from components.art.raster import Paint, paint

_MARK = Path(__file__).parent / "figures" / "mark.svg"
_BOX = 32  # the mark's own units in which an icon is as high as wide
_CENTRE = 16, 16
_OVERSIZE = 4
_ROUND = 7 / 32  # of an icon's side


@dataclass(frozen=True)
class IconColors:
    ground: str
    mark: str


def icon_files(light: IconColors, dark: IconColors) -> dict[str, bytes]:
    """Every icon by its path below the site's root. A drawing follows the system's theme, a picture has the light one."""
    tab = io.BytesIO()
    _rounded(_drawn(48, light)).save(tab, "ICO", sizes=[(16, 16), (32, 32), (48, 48)])
    return {
        "favicon.svg": _svg(light, dark).encode(),
        "favicon.ico": tab.getvalue(),
        "apple-touch-icon.png": _png(_drawn(180, light, share=0.75)),
        "icons/icon-192.png": _png(_rounded(_drawn(192, light))),
        "icons/icon-512.png": _png(_rounded(_drawn(512, light))),
        "icons/maskable-512.png": _png(_drawn(512, light, share=0.65)),  # its edges may be cut off
    }


def _svg(light: IconColors, dark: IconColors) -> str:
    _, _, shape = _MARK.read_text(encoding="utf-8").partition(">")
    style = (
        f".ground{{fill:{light.ground}}}.a-mark{{fill:{light.mark}}}"
        f"@media(prefers-color-scheme:dark){{.ground{{fill:{dark.ground}}}.a-mark{{fill:{dark.mark}}}}}"
    )
    ground = f'<rect class="ground" width="{_BOX}" height="{_BOX}" rx="{_ROUND * _BOX:g}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_BOX} {_BOX}"><style>{style}</style>{ground}{shape.strip()}'


def _drawn(side: int, colors: IconColors, *, share: float = 1) -> Image.Image:
    """A square with the mark in its middle, its thread from the upper edge; the mark takes this share of the height."""
    large = side * _OVERSIZE
    picture = Image.new("RGB", (large, large), colors.ground)
    scale = large * share / _BOX
    at = (large / 2 - _CENTRE[0] * scale, large / 2 - _CENTRE[1] * scale)
    threaded = _MARK.read_text(encoding="utf-8").replace("M10.3 0h1.4v8", "M10.3-40h1.4v48")
    paint(threaded, onto=picture, scale=scale, at=at, paints={"a-mark": Paint(fill=colors.mark)})
    return picture.resize((side, side), Image.Resampling.LANCZOS)


def _rounded(picture: Image.Image) -> Image.Image:
    large = picture.width * _OVERSIZE
    mask = Image.new("L", (large, large))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, large - 1, large - 1), _ROUND * large, fill=255)
    rounded = picture.convert("RGBA")
    rounded.putalpha(mask.resize(picture.size, Image.Resampling.LANCZOS))
    return rounded


def _png(picture: Image.Image) -> bytes:
    written = io.BytesIO()
    picture.quantize(64).save(written, "PNG", optimize=True)
    return written.getvalue()

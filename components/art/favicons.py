"""The icons of browser tabs and home screens, drawn from the brand's mark."""

import io
from dataclasses import dataclass

from PIL import Image

from components.art.drawings import DRAWINGS, drawing_parts, render

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
    return render(_square("", threaded, rounded=rounded), width=side, style=style)


def _square(style: str, shapes: str, *, rounded: bool) -> str:
    ground = (
        f'<rect class="ground" width="{_ICON_BOX}" height="{_ICON_BOX}" rx="{_ICON_ROUND * _ICON_BOX if rounded else 0:g}"/>'
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_ICON_BOX} {_ICON_BOX}">{style}{ground}{shapes}</svg>'


def _brand_mark() -> str:
    return drawing_parts(DRAWINGS / "mark.svg")[1]


def _png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.quantize(64).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()

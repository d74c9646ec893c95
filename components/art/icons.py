"""The site's icons, drawn from its mark: for tabs, home screens and other sites."""

import io
from dataclasses import dataclass

from PIL import Image

from components.art.art import FIGURES, drawing
from components.art.render import rendered as render

_BOX = 32  # the mark's own units in which an icon is as high as wide
_ROUND = 7 / 32  # of an icon's side


@dataclass(frozen=True)
class IconColors:
    ground: str
    mark: str


def icon_files(light: IconColors, dark: IconColors) -> dict[str, bytes]:
    """Every icon by its path below the site's root. A drawing follows the system's theme, a picture has the light one."""
    tab = io.BytesIO()
    _drawn(48, light, rounded=True).save(tab, "ICO", sizes=[(16, 16), (32, 32), (48, 48)])
    return {
        "favicon.svg": _svg(light, dark).encode(),
        "favicon.ico": tab.getvalue(),
        "apple-touch-icon.png": _png(_drawn(180, light, share=0.75)),
        "icons/icon-512.png": _png(_drawn(512, light, rounded=True)),
    }


def _svg(light: IconColors, dark: IconColors) -> str:
    style = (
        f".ground{{fill:{light.ground}}}.a-mark{{fill:{light.mark}}}"
        f"@media(prefers-color-scheme:dark){{.ground{{fill:{dark.ground}}}.a-mark{{fill:{dark.mark}}}}}"
    )
    return _square(f"<style>{style}</style>", _mark(), rounded=True)


def _drawn(side: int, colors: IconColors, *, share: float = 1, rounded: bool = False) -> Image.Image:
    """A square with the mark in its middle, its thread from the upper edge; the mark takes this share of the height."""
    middle = f"translate({_BOX / 2} {_BOX / 2}) scale({share}) translate(-{_BOX / 2} -{_BOX / 2})"
    threaded = f'<g transform="{middle}"><path class="a-mark" d="M10.3-40h1.4v41h-1.4z"/>{_mark()}</g>'
    style = f".ground{{fill:{colors.ground}}}.a-mark{{fill:{colors.mark}}}"
    return render(_square("", threaded, rounded=rounded), width=side, style=style)


def _square(style: str, shapes: str, *, rounded: bool) -> str:
    ground = f'<rect class="ground" width="{_BOX}" height="{_BOX}" rx="{_ROUND * _BOX if rounded else 0:g}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_BOX} {_BOX}">{style}{ground}{shapes}</svg>'


def _mark() -> str:
    return drawing(FIGURES / "mark.svg")[1]


def _png(picture: Image.Image) -> bytes:
    written = io.BytesIO()
    picture.quantize(64).save(written, "PNG", optimize=True)
    return written.getvalue()

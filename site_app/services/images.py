"""Pictures, written anew: what is not picture (places, names, programs) does not survive it."""

from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from site_app.services.refusals import FileRefused

MOST_PIXELS = 40_000_000
_FORMATS = {"png": ("PNG", {}), "jpg": ("JPEG", {"quality": 92}), "webp": ("WEBP", {"quality": 92})}


def rewrite_image(file: Path, kind: str) -> None:
    """Replace the file by the same picture, upright and without metadata; of an animation the first frame stays."""
    name, options = _FORMATS[kind]
    try:
        with Image.open(file, formats=[name]) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise FileRefused("picture_too_large", too_large=True)
            opened.load()
            ImageOps.exif_transpose(
                opened, in_place=True
            )  # a copy is as large as the picture, and that a hundred times its file
            opened.info = {name: value for name, value in opened.info.items() if name == "transparency"}
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise FileRefused("file_broken") from None
    opened.save(file, format=name, **options)

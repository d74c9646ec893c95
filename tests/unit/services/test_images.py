"""Pictures written anew: what is left of them, and what that costs."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from site_app.services.images import rewrite_image


def story() -> dict[str, Any]:
    """All a PNG can say besides its picture."""
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "canary of the comment")
    text.add_itxt("XML:com.adobe.xmp", "canary of the XMP")
    exif = Image.Exif()
    exif[0x010E] = "canary of the place"
    return {"pnginfo": text, "exif": exif, "icc_profile": b"canary of the profile" * 10, "dpi": (300, 300)}


def test_nothing_that_is_not_picture_survives(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    Image.new("RGB", (4, 4)).save(file, **story())
    assert b"canary" in file.read_bytes()

    rewrite_image(file, "png")

    assert b"canary" not in file.read_bytes()
    with Image.open(file) as opened:
        assert (opened.info, dict(opened.getexif())) == ({}, {})


@pytest.mark.parametrize(("kind", "name"), [("png", "PNG"), ("webp", "WEBP")])
def test_of_an_animation_the_first_frame_stays(tmp_path: Path, kind: str, name: str) -> None:
    file = tmp_path / f"a.{kind}"
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "lime", "blue")]
    frames[0].save(file, name, save_all=True, append_images=frames[1:], lossless=True)

    rewrite_image(file, kind)

    with Image.open(file) as opened:
        assert getattr(opened, "n_frames", 1) == 1
        assert opened.convert("RGB").getpixel((0, 0)) == (
            pytest.approx(255, abs=3),
            pytest.approx(0, abs=3),
            pytest.approx(0, abs=3),
        )


def test_see_through_colours_of_a_palette_stay_so(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putpixel((1, 0), 1)
    picture.save(file, transparency=bytes([0, 255]))

    rewrite_image(file, "png")

    with Image.open(file) as opened:
        assert [opened.convert("RGBA").getpixel((x, 0)) for x in (0, 1)] == [(255, 0, 0, 0), (0, 0, 255, 255)]


def test_a_picture_is_in_memory_once(tmp_path: Path) -> None:
    """A small file may be a hundred megabytes of picture; each copy of it is as many again."""
    file = tmp_path / "a.png"
    Image.new("RGBA", (1500, 1500)).save(file)
    tracemalloc.start()

    rewrite_image(file, "png")

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1500 * 1500

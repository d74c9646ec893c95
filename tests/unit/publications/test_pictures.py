"""Pictures in sizes and formats."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageCms

from components.art import pictures
from components.art.pictures import MAX_HEIGHT, BrokenPicture, described, sized
from components.sections.article import picture

DrawPicture = Callable[..., Path]


def test_a_picture_is_prepared_in_three_widths_and_two_formats(draw_picture: DrawPicture) -> None:
    sizes = sized(draw_picture(size=(3200, 1600)))

    assert (sizes.width, sizes.height, sizes.widths) == (3200, 1600, (192, 480, 960, 1600))
    for width in sizes.widths:
        for kind in ("avif", "webp"):
            with Image.open(pictures._SERVED / f"{sizes.name}-{width}.{kind}") as file:
                assert file.size == (width, width // 2)


def test_a_small_picture_is_not_enlarged(draw_picture: DrawPicture) -> None:
    assert sized(draw_picture(size=(700, 300))).widths == (192, 480, 700)


def test_prepared_pictures_are_not_drawn_again(draw_picture: DrawPicture, monkeypatch: pytest.MonkeyPatch) -> None:
    file = draw_picture()
    made_before = sized(file)
    pictures._prepared.cache_clear()
    monkeypatch.setattr(pictures, "_draw", lambda *_: pytest.fail("it was made again"))

    assert sized(file) == made_before


def test_another_user_can_read_the_files(draw_picture: DrawPicture) -> None:
    """A service runs as another user than the build before it."""
    sized(draw_picture())

    folders = list(pictures._CACHE.iterdir())
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o777 & ~_umask()]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_changed_picture_gets_a_new_address(draw_picture: DrawPicture) -> None:
    earlier_name = sized(draw_picture(color="#6141ac")).name
    time.sleep(0.01)

    assert sized(draw_picture(color="#f1c40f")).name != earlier_name


def test_a_turned_photograph_stands_upright(draw_picture: DrawPicture) -> None:
    file = draw_picture("turned.jpg", (400, 200))
    with Image.open(file) as photograph:
        exif = photograph.getexif()
        exif[0x0112] = 6  # turned by a quarter
        photograph.save(file, exif=exif)

    assert (sized(file).width, sized(file).height) == (200, 400)


def test_a_picture_with_a_broken_colour_profile_keeps_its_pixels(folder: Path) -> None:
    Image.new("RGB", (600, 300), "#6141ac").save(folder / "square.png", icc_profile=b"no profile")

    assert sized(folder / "square.png").width == 600


def test_a_grey_picture_of_16_bits_keeps_its_tones(folder: Path) -> None:
    Image.new("I;16", (600, 300), 100 * 256).save(folder / "scan.png")

    prepared = sized(folder / "scan.png")

    with Image.open(pictures._SERVED / f"{prepared.name}-480.webp") as file:
        assert file.getpixel((0, 0)) == pytest.approx((100, 100, 100), abs=2)


@pytest.mark.parametrize(("mode", "color"), [("RGB", (1, 2, 3)), ("L", 9)])
def test_a_transparent_colour_stands_on_white_also_beside_a_colour_profile(
    folder: Path, mode: str, color: int | tuple[int, int, int]
) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    Image.new(mode, (600, 300), color).save(folder / "logo.png", transparency=color, icc_profile=profile)

    assert sized(folder / "logo.png").ground == "ground-222"


def test_a_picture_without_alt_text_is_refused(draw_picture: DrawPicture) -> None:
    with pytest.raises(BrokenPicture, match="lacks its alt text"):
        described(draw_picture(), " ")


def test_too_many_pixels_are_refused(draw_picture: DrawPicture) -> None:
    with pytest.raises(BrokenPicture, match="5000 × 4100 pixels; the most is 20 million"):
        sized(draw_picture(size=(5000, 4100)))


def test_a_picture_that_is_too_high_is_refused(draw_picture: DrawPicture) -> None:
    with pytest.raises(BrokenPicture, match=f"{MAX_HEIGHT + 1} pixels high; the most is {MAX_HEIGHT}"):
        sized(draw_picture(size=(480, MAX_HEIGHT + 1)))


def test_more_pixels_than_pillow_opens_are_refused(draw_picture: DrawPicture, monkeypatch: pytest.MonkeyPatch) -> None:
    file = draw_picture(size=(800, 400))
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)

    with pytest.raises(BrokenPicture, match="more than 20 million pixels"):
        sized(file)


def test_a_transparent_picture_stands_on_white(folder: Path) -> None:
    Image.new("RGBA", (600, 300), (0, 0, 0, 0)).save(folder / "logo.png")

    prepared = sized(folder / "logo.png")

    with Image.open(pictures._SERVED / f"{prepared.name}-480.webp") as file:
        assert (file.mode, file.getextrema()) == ("RGB", ((255, 255),) * 3)
    assert prepared.ground == "ground-222"


@pytest.mark.parametrize("name", ["notes.txt", "broken.png", "moving.gif"])
def test_a_file_that_is_no_picture_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_text("no pixels")

    with pytest.raises(BrokenPicture, match=name):
        sized(folder / name)


def test_the_component_names_size_ground_and_loading(draw_picture: DrawPicture) -> None:
    file = draw_picture(size=(800, 400), color="#ffffff")

    lazy, eager = str(picture(file, alt="A square")), str(picture(file, alt="A square", above_fold=True))

    assert "picture ground-222" in lazy
    assert '"lazy"' in lazy
    assert '"high"' in eager
    assert '"lazy"' not in eager

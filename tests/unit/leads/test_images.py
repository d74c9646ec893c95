"""Re-encoded pictures: remaining metadata, and cost."""

import random
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from struct import pack
from typing import Any

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from site_app.contracts.fields import MAX_FILE_BYTES
from site_app.provider.http.refusals import FileRefused
from site_app.provider.leads import file_kinds, image_process
from site_app.provider.leads.file_kinds import rewrite_image
from site_app.provider.leads.image_process import rewrite
from tests.support.uploads import COSTLY, rotated

ROOT = Path(__file__).parents[3]


def all_metadata() -> dict[str, Any]:
    """Returns a PNG with every kind of metadata."""
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "canary of the comment")
    text.add_itxt("XML:com.adobe.xmp", "canary of the XMP")
    exif = Image.Exif()
    exif[0x010E] = "canary of the place"
    return {"pnginfo": text, "exif": exif, "icc_profile": b"canary of the profile" * 10, "dpi": (300, 300)}


def test_no_metadata_of_a_picture_survives(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    Image.new("RGB", (4, 4)).save(file, **all_metadata())
    assert b"canary" in file.read_bytes()

    assert rewrite(file, "png") == ""

    assert b"canary" not in file.read_bytes()
    with Image.open(file) as image:
        assert (image.info, dict(image.getexif())) == ({}, {})


def red_is_green() -> bytes:
    """Returns a profile in which red and green have changed places."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return srgb.replace(b"rXYZ", b"____").replace(b"gXYZ", b"rXYZ").replace(b"____", b"gXYZ")


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_colours_of_a_profile_become_those_of_srgb_without_it(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "a.png"
    Image.new(mode, (4, 4), "red").save(file, icc_profile=red_is_green())

    rewrite_image(file, "png")

    with Image.open(file) as image:
        assert image.info == {}
        assert image.convert("RGB").getpixel((0, 0)) == pytest.approx((0, 255, 0), abs=3)


def test_the_transparent_colour_of_a_picture_with_a_profile_stays_transparent(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    picture = Image.new("RGB", (4, 4), "red")
    picture.putpixel((0, 0), (0, 255, 0))
    picture.save(file, icc_profile=red_is_green(), transparency=(0, 255, 0))

    assert rewrite(file, "png") == ""

    with Image.open(file) as image:
        pixels = image.convert("RGBA")
        assert [pixels.getpixel(place)[3] for place in ((0, 0), (1, 1))] == [0, 255]  # pyright: ignore


@pytest.mark.parametrize(("kind", "name"), [("png", "PNG"), ("webp", "WEBP")])
def test_only_the_first_frame_of_an_animation_stays(tmp_path: Path, kind: str, name: str) -> None:
    file = tmp_path / f"a.{kind}"
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "lime", "blue")]
    frames[0].save(file, name, save_all=True, append_images=frames[1:], lossless=True)

    assert rewrite(file, kind) == ""

    with Image.open(file) as image:
        assert getattr(image, "n_frames", 1) == 1
        assert image.convert("RGB").getpixel((0, 0)) == pytest.approx((255, 0, 0), abs=3)


def test_transparent_palette_colours_stay_transparent(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putpixel((1, 0), 1)
    picture.save(file, transparency=bytes([0, 255]))

    assert rewrite(file, "png") == ""

    with Image.open(file) as image:
        assert [image.convert("RGBA").getpixel((x, 0)) for x in (0, 1)] == [(255, 0, 0, 0), (0, 0, 255, 255)]


def noise(*size: int) -> Image.Image:
    """The costliest picture for its size: incompressible."""
    return Image.frombytes("RGB", (size[0], size[1]), random.Random(1).randbytes(3 * size[0] * size[1]))


@pytest.mark.parametrize("name", COSTLY)
def test_the_costliest_accepted_picture_costs_little(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    COSTLY[name](file)
    code = (
        "import re, sys; from pathlib import Path; from site_app.provider.leads.image_process import rewrite\n"
        "rewrite(Path(sys.argv[1]), sys.argv[2])\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"
    )

    process = subprocess.run(
        [sys.executable, "-c", code, str(file), file.suffix[1:]], capture_output=True, check=True, cwd=ROOT
    )

    assert int(process.stdout) * 1024 < 140_000_000
    assert b"canary" not in file.read_bytes()


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("a.webp", Image.new("RGB", (3000, 3000))),
        ("a.jpg", Image.new("L", (6400, 6400))),
        ("bomb.png", Image.new("1", (20_000, 20_000))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_picture_of_too_many_pixels_is_refused_by_its_header(tmp_path: Path, name: str, picture: Image.Image) -> None:
    file = tmp_path / name
    picture.save(file)
    original = file.read_bytes()

    assert rewrite(file, file.suffix[1:]) == "picture_too_large"
    assert file.read_bytes() == original


def test_a_rotated_picture_keeps_only_its_orientation(tmp_path: Path) -> None:
    file = tmp_path / "a.jpg"
    Image.new("RGB", (57, 42)).save(file, exif=rotated())

    assert rewrite(file, "jpg") == ""

    with Image.open(file) as image:
        assert dict(image.getexif()) == {0x0112: 6}
    assert b"canary" not in file.read_bytes()


@pytest.mark.parametrize(("kind", "options"), [("webp", {"quality": 60, "method": 0}), ("jpg", {"quality": 85})])
def test_a_picture_written_anew_is_never_larger_than_a_file_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, options: dict[str, Any]
) -> None:
    """Noise in a lower quality than the output's, so the first result is larger than the upload."""
    file = tmp_path / f"a.{kind}"
    noise(800, 800).save(file, **options)
    limit_bytes = int(file.stat().st_size * 0.95)
    monkeypatch.setattr(image_process, "MAX_RESULT_BYTES", limit_bytes)

    assert rewrite(file, kind) == ""

    assert file.stat().st_size <= limit_bytes
    with Image.open(file) as image:
        assert image.size == (800, 800)


def test_the_written_picture_has_the_limit_of_an_upload() -> None:
    assert image_process.MAX_RESULT_BYTES == MAX_FILE_BYTES


def test_a_phones_picture_with_a_second_one_appended_is_a_jpeg(tmp_path: Path) -> None:
    """Phones append a preview or a depth map to the picture; Pillow treats such a file as a format of its own."""
    file = tmp_path / "a.jpg"
    second = Image.new("RGB", (30, 20), "lime")
    Image.new("RGB", (60, 40), "red").save(file, "MPO", save_all=True, append_images=[second], exif=rotated())

    assert rewrite(file, "jpg") == ""

    with Image.open(file) as image:
        assert (image.format, image.size, dict(image.getexif())) == ("JPEG", (60, 40), {0x0112: 6})
    assert b"canary" not in file.read_bytes()


def test_a_jpeg_stays_as_fine_as_it_came(tmp_path: Path) -> None:
    file = tmp_path / "a.jpg"
    noise(300, 300).save(file, quality=97, subsampling=0)
    with Image.open(file) as image:
        original = image.tobytes()

    assert rewrite(file, "jpg") == ""

    with Image.open(file) as image:
        worst = max(abs(value - original_value) for value, original_value in zip(image.tobytes(), original, strict=True))
    assert worst <= 8


def test_of_a_long_animation_only_the_first_frame_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "a.webp"
    pictures = [Image.new("RGB", (1000, 1000), (number, 0, 0)) for number in range(60)]
    pictures[0].save(file, save_all=True, append_images=pictures[1:], method=0, quality=1)
    began = time.monotonic()

    assert rewrite(file, "webp") == ""

    assert time.monotonic() - began < 5
    with Image.open(file) as image:
        assert getattr(image, "n_frames", 1) == 1


def chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


@cache
def compressed_zeros() -> bytes:
    return zlib.compress(bytes(200_000_000), 1)


@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt", b"iCCP", b"eXIf", b"tEXt"])
def test_a_text_bomb_in_a_png_is_refused_or_removed(tmp_path: Path, kind: bytes) -> None:
    """Comments are compressed too: 8 MB of them may unpack to 8 GB."""
    file = tmp_path / "a.png"
    Image.new("RGB", (4, 4)).save(file)
    packed = compressed_zeros()
    data = {b"zTXt": b"k\0\0" + packed, b"iTXt": b"k\0\1\0\0\0" + packed, b"iCCP": b"k\0\0" + packed}
    plain = file.read_bytes()
    file.write_bytes(plain[:33] + chunk(kind, data.get(kind, b"k\0" + b"canary" * 1_000_000)) + plain[33:])
    began = time.monotonic()

    with suppress(FileRefused):
        rewrite_image(file, "png")
        assert b"canary" not in file.read_bytes()

    assert time.monotonic() - began < 5


def in_passes(scans: int) -> bytes:
    """Returns a progressive JPEG whose last scan is repeated this many times."""
    buffer = BytesIO()
    Image.new("RGB", (300, 200)).save(buffer, "JPEG", progressive=True)
    content = buffer.getvalue()
    last = content.rfind(b"\xff\xda")
    return content[:last] + content[last:-2] * scans + content[-2:]


def in_chunks(count: int) -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (8, 8)).save(buffer, "PNG")
    content = buffer.getvalue()
    return content[:33] + chunk(b"teXt", b"") * count + content[33:]


PIECES = {
    "scans.jpg": in_passes(4000),
    "comments.jpg": b"\xff\xd8" + b"\xff\xfe\0\2" * 100_000 + in_passes(1)[2:],
    "chunks.png": in_chunks(100_000),
}


@pytest.mark.parametrize("name", PIECES)
def test_a_picture_of_too_many_pieces_is_refused_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = tmp_path / name
    file.write_bytes(PIECES[name])
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("opened"))

    assert rewrite(file, file.suffix[1:]) == "picture_in_pieces"
    assert file.read_bytes() == PIECES[name]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("passes.jpg", in_passes(10)),
        ("preview.jpg", in_passes(1) + in_passes(4000)),  # behind the end of the picture
        ("comment.jpg", b"\xff\xd8\xff\xfe\xff\xff" + b"\xff\xda" * 32766 + b"\0" + in_passes(1)[2:]),
        ("chunks.png", in_chunks(2000) + bytes(200_000)),
    ],
)
def test_a_picture_that_only_seems_to_have_many_pieces_is_accepted(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)

    assert rewrite(file, file.suffix[1:]) == ""


@pytest.mark.parametrize("name", ["a.jpg", "a.png"])
def test_damaged_files_do_not_break_the_count_of_pieces(tmp_path: Path, name: str) -> None:
    original = in_passes(3) if name.endswith("jpg") else in_chunks(3)
    chance = random.Random(7)
    for _ in range(200):
        content = bytearray(original)
        for at in chance.sample(range(2, len(content)), 5):
            content[at] = chance.choice((0, 0xFF, 0xDA, 0xD9, chance.randrange(256)))
        file = tmp_path / name
        file.write_bytes(content[: chance.randrange(2, len(content) + 1)])

        assert rewrite(file, file.suffix[1:]) in ("", "file_broken", "picture_too_large", "picture_in_pieces")


def test_a_process_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.png"
    Image.new("RGB", (4, 4)).save(file)
    monkeypatch.setattr(file_kinds, "_MAX_PICTURE_SECONDS", 0.001)

    with pytest.raises(FileRefused, match="picture_too_large"):
        rewrite_image(file, "png")


def test_the_image_process_has_resource_limits() -> None:
    code = (
        "import resource; from site_app.provider.leads import image_process as own; own._set_limits()\n"
        "print(*(resource.getrlimit(getattr(resource, f'RLIMIT_{name}'))[1] for name in ('AS', 'CPU', 'FSIZE')))"
    )

    process = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)

    bounds = [int(bound) for bound in process.stdout.split()]
    assert len(bounds) == 3
    assert all(0 < bound <= 512 * 2**20 for bound in bounds)

"""Pictures for pages: an original becomes AVIF and WebP in up to four widths, made once and kept by the content of its file.

The files are written where both the build and the development server serve them from, under a URL that changes with the content.
"""

import hashlib
import io
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

# Pillow is imported by the functions that need it: a server imports this module, and only reads sizes that the build has measured.
if TYPE_CHECKING:
    from PIL import Image

WIDTHS = (192, 480, 960, 1600)
MIN_WIDTH = 480  # of an original
MAX_MEGAPIXELS = 20
MAX_HEIGHT = 16_383  # pixels, of WebP
PICTURE_ENDINGS = frozenset((".png", ".jpg", ".jpeg", ".webp", ".avif"))
URL_PATH = "/assets/pictures"
# The width of the text column, in which most pictures are. A phone gets a smaller file than it could show: its link leads to the largest.
WHOLE_WIDTH = "(min-width: 48rem) 42rem, 17rem"
_ROOT = Path(__file__).parents[2]
_CACHE = _ROOT / ".cache/pictures"
_SERVED = _ROOT / f".web/public{URL_PATH}"
_ENCODING_VERSION = "5"  # a new number changes the URL of every file
_NOT_IN_URLS = re.compile(r"[^A-Za-z0-9_-]+")  # characters of a file name that a URL or srcset cannot contain
_KINDS = ("avif", "webp")
# The smaller a file, the slower its encoder: phones fetch the smallest over slow lines, and it takes the least work. Half of its bytes are saved so.
_AVIF = {
    192: {"quality": 45, "speed": 4},
    480: {"quality": 45, "speed": 4},
    960: {"quality": 55, "speed": 6},
    1600: {"quality": 55, "speed": 7},
}
_WEBP = {"quality": 78, "method": 2}


class BrokenPicture(Exception):
    """A picture that cannot be shown; the message says why, in a sentence."""


@dataclass(frozen=True)
class SizedPicture:
    """The files made of an original: `<URL_PATH>/<name>-<width>.<kind>` for each width. `ground` is the CSS class of its average colour."""

    name: str
    width: int
    height: int
    widths: tuple[int, ...]
    ground: str

    def srcset(self, kind: str) -> str:
        return ", ".join(f"{self.file_url(kind, width)} {width}w" for width in self.widths)

    def file_url(self, kind: str, width: int) -> str:
        return f"{URL_PATH}/{self.name}-{width}.{kind}"


_measure: ContextVar[Callable[[Path], SizedPicture] | None] = ContextVar("measure", default=None)


@contextmanager
def measured_by(measure: Callable[[Path], SizedPicture]) -> Iterator[None]:
    """Makes `sized` call this function instead of making files: for drafts, whose pictures have other addresses."""
    token = _measure.set(measure)
    try:
        yield
    finally:
        _measure.reset(token)


def prepare(files: Iterable[Path]) -> dict[Path, BrokenPicture]:
    """Makes the files of several originals in parallel, so that `sized` finds them. Returns the originals that cannot be shown."""

    def problem(file: Path) -> BrokenPicture | None:
        try:
            sized(file)
        except BrokenPicture as broken:
            return broken
        return None

    originals = tuple(files)
    if _measure.get():  # other threads do not see this variable; measuring is quick
        return {file: broken for file in originals if (broken := problem(file))}
    with ThreadPoolExecutor(2) as pool:
        return {file: broken for file, broken in zip(originals, pool.map(problem, originals), strict=True) if broken}


def sized(file: Path) -> SizedPicture:
    """Returns the sizes of an original; makes the files that are missing."""
    if file.suffix.lower() not in PICTURE_ENDINGS:
        raise BrokenPicture(f"{_path(file)} is not a picture file: use {', '.join(sorted(PICTURE_ENDINGS))}.")
    if measure := _measure.get():
        return measure(file)
    try:
        state = file.stat()
    except OSError:
        raise BrokenPicture(f"There is no picture {_path(file)}.") from None
    return _prepared(file, state.st_mtime_ns, state.st_size)


@cache
def _prepared(file: Path, _modified_ns: int, _bytes: int) -> SizedPicture:
    content = file.read_bytes()
    digest = hashlib.sha256(content + _ENCODING_VERSION.encode()).hexdigest()[:12]
    cached = _CACHE / digest
    if not (cached / "sizes.json").exists():
        _CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_CACHE) as private_folder:
            unfinished = Path(private_folder) / digest  # copied out of it, because only this user may read a temporary folder
            unfinished.mkdir()
            _draw(content, unfinished, _path(file))
            shutil.copytree(unfinished, cached, dirs_exist_ok=True)
    sizes = json.loads((cached / "sizes.json").read_text())
    picture = SizedPicture(f"{_NOT_IN_URLS.sub('-', file.stem)}-{digest}", **sizes | {"widths": tuple(sizes["widths"])})
    for width in picture.widths:
        for kind in _KINDS:
            served = _SERVED / f"{picture.name}-{width}.{kind}"
            if not served.exists():
                _SERVED.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(cached / f"{width}.{kind}", served)
    return picture


def _draw(content: bytes, folder: Path, name: str) -> None:
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(content)) as original:
            width, height = original.size
            if width * height > MAX_MEGAPIXELS * 1_000_000:
                raise BrokenPicture(f"{name} has {width} × {height} pixels; the most is {MAX_MEGAPIXELS} million.")
            picture = _in_srgb(ImageOps.exif_transpose(original))
    except Image.DecompressionBombError:
        raise BrokenPicture(f"{name} has more than {MAX_MEGAPIXELS} million pixels.") from None
    except (OSError, SyntaxError, ValueError):
        raise BrokenPicture(f"{name} cannot be read as a picture.") from None
    if picture.height > MAX_HEIGHT:
        raise BrokenPicture(f"{name} is {picture.height} pixels high; the most is {MAX_HEIGHT}.")
    settings = {min(width, picture.width): _AVIF[width] for width in WIDTHS}
    for width, avif in settings.items():
        smaller = picture.resize((width, max(1, round(picture.height * width / picture.width))), Image.Resampling.LANCZOS)
        smaller.save(folder / f"{width}.avif", "avif", **avif)
        smaller.save(folder / f"{width}.webp", "webp", **_WEBP)
    sizes = SizedPicture("", picture.width, picture.height, tuple(settings), _ground(picture))
    (folder / "sizes.json").write_text(json.dumps({key: value for key, value in asdict(sizes).items() if key != "name"}))


def _in_srgb(picture: "Image.Image") -> "Image.Image":
    """Returns the picture converted to sRGB, without a colour profile of its own, and on white where it is transparent.

    Most such pictures are black lines, drawn for a white page: the dark theme would hide them.
    """
    from PIL import Image, ImageCms

    if picture.mode.startswith("I"):  # grey of 16 bits, of which `convert` would make all but the darkest white
        picture = picture.point(lambda value: value / 256).convert("L")
        picture.info.pop("transparency", None)
    if "transparency" in picture.info:
        picture = picture.convert("RGBA")  # before its colours change, of which one is transparent
    mode = "RGBA" if "A" in picture.getbands() else "RGB"
    if profile := picture.info.get("icc_profile"):
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            picture = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"), outputMode=mode) or picture
        except (ImageCms.PyCMSError, OSError):
            pass  # the profile is broken: keep the pixels as they are
    picture = picture.convert(mode)
    if mode == "RGBA":
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    return picture


def _ground(picture: "Image.Image") -> str:
    """Returns the class of picture.css closest to the average colour, in three steps per channel; the policy forbids inline styles."""
    from PIL import Image

    average = picture.resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
    assert isinstance(average, tuple)
    return "ground-" + "".join(str(min(2, int(channel) * 3 // 256)) for channel in average)


def described(file: Path, alt: str) -> SizedPicture:
    """Returns the sizes of a picture; raises BrokenPicture without an alt text."""
    if not alt.strip():
        raise BrokenPicture(f"The picture {_path(file)} lacks its alt text: a sentence that says what it shows.")
    return sized(file)


def picture_html(file: Path, *, alt: str, sizes: str = WHOLE_WIDTH) -> str:
    """Returns the picture as HTML, for Markdown, with a link to its largest file."""
    picture = described(file, alt)
    source = {"type": "image/avif", "srcset": picture.srcset("avif"), "sizes": sizes}
    largest = picture.file_url("webp", picture.widths[-1])
    image = {
        "src": largest,
        "srcset": picture.srcset("webp"),
        "sizes": sizes,
        "width": str(picture.width),
        "height": str(picture.height),
        "alt": alt,
        "loading": "lazy",
        "decoding": "async",
        "class": f"picture {picture.ground}",
    }
    shown_picture = f"<picture><source {_attributes(source)}><img {_attributes(image)}></picture>"
    return f'<a class="whole-picture" href="{escape(largest)}">{shown_picture}</a>'


def _attributes(values: Mapping[str, str]) -> str:
    return " ".join(f'{name}="{escape(value)}"' for name, value in values.items())


def _path(file: Path) -> str:
    return str(file.relative_to(_ROOT)) if file.is_relative_to(_ROOT) else file.name

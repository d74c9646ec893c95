"""Pictures that are sent with the form of a text: examined, rewritten without metadata, and placed in the text."""

import hashlib
import io
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from site_app.contracts.fields import MAX_FILE_BYTES
from site_app.contracts.problems import problem
from site_app.contracts.publication import MAX_ALT_LENGTH, MAX_MEGAPIXELS, MAX_PICTURE_HEIGHT, BrokenFrontMatter, parse
from site_app.core.http.client_ip import client_ip, network_of
from site_app.provider.http.refusals import FileRefused
from site_app.provider.leads.file_kinds import PICTURES, check_and_clean_file
from site_app.provider.office.access import OfficeRequest, UploadedFile
from site_app.provider.publishing import drafts
from site_app.provider.publishing.drafts import TextKey
from site_app.provider.store.tables import DraftPicture

_PATIENCE_SECONDS = 20.0  # until a picture's turn in the queue


class PictureRefused(Exception):
    """The message is a sentence for the person who sent the picture."""

    def __init__(self, sentence: str, *, status: int = 422) -> None:
        super().__init__(sentence)
        self.status = status


async def examined_picture(request: OfficeRequest, key: TextKey, alt: str) -> DraftPicture:
    """Returns the row of the picture that was sent. Raises PictureRefused."""
    if request.upload is None:
        raise PictureRefused("Choose a file.")
    if not 2 <= len(alt) <= MAX_ALT_LENGTH:
        raise PictureRefused(
            "Say in a few words what the picture shows, for those who cannot see it; then choose the file again."
        )
    if Path(request.upload.name).suffix.lower().lstrip(".") not in PICTURES:
        raise PictureRefused("Choose a PNG, JPEG or WebP picture.")
    try:
        kind, content = await _rewritten(request, request.upload)
    except FileRefused as refused:
        raise PictureRefused(problem(refused.kind, "file")) from None
    except TimeoutError:
        raise PictureRefused("Too many pictures are being added at once. Try again in a moment.", status=503) from None
    from PIL import Image  # takes 3 MB, which a server needs only once somebody sends a picture

    with Image.open(io.BytesIO(content)) as picture:
        width, height = picture.size
    if width * height > MAX_MEGAPIXELS * 1_000_000:
        raise PictureRefused(
            f"The picture has {width} × {height} pixels; the limit is {MAX_MEGAPIXELS} million. Make it smaller and choose it again."
        )
    if height > MAX_PICTURE_HEIGHT:
        raise PictureRefused(
            f"The picture is {height} pixels high; the limit is {MAX_PICTURE_HEIGHT}. Cut it into parts or make it smaller."
        )
    return DraftPicture(
        kind=key.kind,
        name=drafts.picture_file_name(request.upload.name, kind, key.slug),
        slug=key.slug,
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        width=width,
        height=height,
        person=request.actor.name,
        added_at=request.actor.now,
    )


async def _rewritten(request: OfficeRequest, upload: UploadedFile) -> tuple[str, bytes]:
    """Returns the kind of a picture, and the picture without metadata, which a process of its own rewrites. Raises FileRefused."""
    context = request.context
    if len(upload.content) > MAX_FILE_BYTES:
        raise FileRefused("file_too_large", too_large=True)
    context.uploads.check_disk(context.settings.var)
    network = network_of(client_ip(request.http, context.settings))
    rewrite = partial(_without_metadata, upload.content, upload.name)
    return await context.pictures.run(network, rewrite, patience_seconds=_PATIENCE_SECONDS)


def _without_metadata(content: bytes, name: str) -> tuple[str, bytes]:
    """Returns the kind of a picture, and the picture without metadata. Raises FileRefused."""
    with TemporaryDirectory(prefix="picture-") as folder:
        file = Path(folder) / "picture"
        file.write_bytes(content)
        kind = check_and_clean_file(file, name)
        return kind, file.read_bytes()


def with_picture(text: str, name: str, alt: str, place: str) -> tuple[str, bool]:
    """Returns the file with the picture as a paragraph, and True if it was added at `place`.

    `place` is an offset in the Markdown. Without a valid one the picture is added at the end.
    """
    try:
        markdown = parse(text).markdown
    except BrokenFrontMatter:
        return text, False
    front_matter = text[: len(text) - len(markdown)]
    is_placed = place.isascii() and place.isdecimal() and len(place) < 8 and int(place) < len(markdown)
    line_end = markdown.find("\n", int(place)) if is_placed else -1
    beginning = markdown[:line_end] if line_end >= 0 else markdown
    ending = markdown[line_end:] if line_end >= 0 else ""
    escaped_alt = alt.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    paragraphs = (beginning.rstrip("\n"), f"![{escaped_alt}]({name})", ending.strip("\n"))
    return front_matter + "\n".join(f"{paragraph}\n" for paragraph in paragraphs if paragraph), is_placed

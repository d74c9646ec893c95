"""Pictures of texts: added, rewritten, named, published and refused."""

import io
from pathlib import Path

import pytest
from PIL import Image

from site_app.contracts.publication import MAX_PICTURE_HEIGHT
from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import DraftPicture
from tests.support.office_browser import Browser, text_of
from tests.support.office_texts import FIELDS, PATH, base_of, install
from tests.support.stored_rows import rows_in

pytestmark = pytest.mark.anyio


def picture(size: tuple[int, int] = (800, 400), kind: str = "JPEG", color: str = "#6141ac") -> bytes:
    png = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "A secret place"
    Image.new("RGB", size, color).save(png, kind, exif=exif)
    return png.getvalue()


async def test_pictures_are_rewritten_named_and_published(di: Browser, context: ApiContext, folder: Path) -> None:
    upload = {"upload": ("Our Office (1).JPG", picture(), "image/jpeg")}
    response = await di.send(PATH, upload, do="picture", base=await base_of(di), picture_alt="A violet [wall]", **FIELDS)

    assert response.headers["Location"].endswith("?done=picture"), text_of(response)
    [row] = await rows_in(context.store, DraftPicture)
    assert (row.name, row.width, row.height) == ("estimates-our-office-1.jpg", 800, 400)
    assert b"secret" not in row.content
    page = await di.get(PATH)
    assert "![A violet \\[wall\\]](estimates-our-office-1.jpg)" in page.text
    served = await di.get("/content/pictures/article/estimates-our-office-1.jpg")
    assert served.content == row.content
    assert served.headers["Content-Type"] == "image/jpeg"
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in served.headers["Content-Security-Policy"]
    text = FIELDS | {"text": "First.\n\n![A violet wall](estimates-our-office-1.jpg)\n"}
    response = await di.send(PATH, do="publish", base=await base_of(di), languages="en", **text)
    assert response.headers["Location"] == "/office/content?done=publish", text_of(response)
    await install(context, folder)
    assert (folder / "estimates-our-office-1.jpg").read_bytes() == row.content


async def test_a_picture_with_brackets_in_its_alt_text_is_published(di: Browser, context: ApiContext, folder: Path) -> None:
    upload = {"upload": ("a.png", picture(kind="PNG"), "image/png")}
    await di.send(PATH, upload, do="picture", base=await base_of(di), picture_alt="A [violet] wall", **FIELDS)
    text = FIELDS | {"text": "First.\n\n![A \\[violet\\] wall](estimates-a.png)\n"}

    response = await di.send(PATH, do="publish", base=await base_of(di), languages="en", **text)

    assert response.headers["Location"] == "/office/content?done=publish", text_of(response)
    assert 'alt="A [violet] wall"' in (await di.get(f"{PATH}/preview")).text
    await install(context, folder)
    assert (folder / "estimates-a.png").exists()


async def test_a_picture_replaced_on_the_disk_stays_with_the_next_correction(
    di: Browser, context: ApiContext, folder: Path
) -> None:
    upload = {"upload": ("a.png", picture(kind="PNG"), "image/png")}
    await di.send(PATH, upload, do="picture", base=await base_of(di), picture_alt="A wall", **FIELDS)
    text = FIELDS | {"text": "First.\n\n![A wall](estimates-a.png)\n"}
    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **text)
    await install(context, folder)
    sharper = picture((1600, 800), kind="PNG")
    (folder / "estimates-a.png").write_bytes(sharper)

    corrected = {"text": "1st.\n\n![A wall](estimates-a.png)\n"}
    await di.send(PATH, do="publish", base=await base_of(di), languages="en", **text | corrected)
    await install(context, folder)

    assert "1st." in (folder / "estimates.md").read_text()
    assert (folder / "estimates-a.png").read_bytes() == sharper


async def test_another_picture_of_a_public_name_gets_a_name_of_its_own(
    ada: Browser, di: Browser, context: ApiContext, folder: Path
) -> None:
    for browser, color in ((di, "#6141ac"), (ada, "#ac4161")):
        upload = {"upload": ("a.png", picture(kind="PNG", color=color), "image/png")}
        await browser.send(PATH, upload, do="picture", base=await base_of(browser), picture_alt="A wall", **FIELDS)
        names = [row.name for row in await rows_in(context.store, DraftPicture)]
        text = FIELDS | {"text": f"First.\n\n![A wall]({names[-1]})\n"}
        response = await browser.send(PATH, do="publish", base=await base_of(browser), languages="en", **text)
        assert response.status_code == 303, text_of(response)
        await install(context, folder)

    stored = {row.name: row.content for row in await rows_in(context.store, DraftPicture)}
    assert sorted(stored) == ["estimates-a-2.png", "estimates-a.png"]
    assert {name: (folder / name).read_bytes() for name in stored} == stored


async def test_a_picture_goes_where_the_cursor_was(di: Browser, folder: Path) -> None:
    upload = {"upload": ("a.png", picture(kind="PNG"), "image/png")}

    await di.send(PATH, upload, do="picture", base=await base_of(di), picture_alt="A wall", place="3", **FIELDS)

    assert "First part.\n\n![A wall](estimates-a.png)\n\nSecond part.\n" in (await di.get(PATH)).text


async def test_the_place_of_the_cursor_counts_a_line_end_once(di: Browser, folder: Path) -> None:
    upload = {"upload": ("a.png", picture(kind="PNG"), "image/png")}
    text = FIELDS | {"text": "1\r\n\r\n2\r\n\r\n3\r\n"}

    # A browser sends the lines of a textarea with \r\n, while its script sees \n alone.
    await di.send(PATH, upload, do="picture", base=await base_of(di), picture_alt="A wall", place="3", **text)

    assert "1\n\n2\n\n![A wall](estimates-a.png)\n\n3\n" in (await di.get(PATH)).text


@pytest.mark.parametrize(
    ("name", "content", "alt", "words"),
    [
        ("a.svg", b"<svg onload=alert(1)>", "A wall", "PNG, JPEG or WebP"),
        ("a.html", b"<script>", "A wall", "PNG, JPEG or WebP"),
        ("a.png", b"<script>alert(1)</script>", "A wall", ""),
        ("a.png", picture(), "A wall", ""),
        ("a.jpg", picture()[:300], "A wall", "damaged"),
        ("a.jpg", picture(), "", "Say in a few words"),
        ("a.jpg", picture((5000, 4500)), "A wall", "20 million"),
        ("a.png", picture((480, MAX_PICTURE_HEIGHT + 1), "PNG"), "A wall", f"high; the limit is {MAX_PICTURE_HEIGHT}"),
    ],
)
async def test_a_refused_picture_leaves_the_typed_text(
    di: Browser, context: ApiContext, folder: Path, name: str, content: bytes, alt: str, words: str
) -> None:
    upload = {"upload": (name, content, "image/png")}

    response = await di.send(
        PATH, upload, do="picture", base=await base_of(di), picture_alt=alt, **(FIELDS | {"text": "Typed.\n"})
    )

    assert response.status_code == 422
    assert words in text_of(response)
    assert "Typed." in response.text
    assert await rows_in(context.store, DraftPicture) == []

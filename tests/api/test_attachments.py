"""Uploads arrive complete and in allowed formats; a failed upload leaves nothing behind."""

import encodings.aliases
import stat
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from PIL import Image
from sqlmodel import select
from starlette.applications import Starlette
from starlette.types import Message

from site_app.contracts.fields import MAX_FILE_BYTES
from site_app.core.settings import Settings
from site_app.provider.api.sweep import sweep_once
from site_app.provider.http.call import ApiContext
from site_app.provider.store.tables import Attachment
from tests.support.builders import message, quote
from tests.support.clock import Clock
from tests.support.uploads import OLE, OLE_WITH_MACROS, PDF, SVG, archive, files, office_file, picture, send, with_false_size

pytestmark = pytest.mark.anyio


@pytest.fixture
def clock() -> Clock:
    """A clock that starts now, as the dates of files on the disk do."""
    return Clock(datetime.now(UTC))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("brief.pdf", PDF),
        ("brief.PDF", PDF),
        ("brief.docx", office_file("word/document.xml")),
        ("sums.xlsx", office_file("xl/workbook.xml")),
        ("talk.pptx", office_file("ppt/presentation.xml")),
        ("notes.txt", "Grüße, 你好".encode()),
        ("notes.md", b"# Notes\n\n* one\n"),
        ("western.txt", "Grüße – “naïve” €".encode("cp1252")),
        ("thai.txt", "สวัสดีครับ".encode("tis-620")),
        ("chinese.txt", "你好，世界".encode("gbk")),
        ("late.txt", b"x" * 70_000 + "Grüße".encode("cp1252")),
        ("shot.png", picture("PNG")),
        ("shot.jpg", picture("JPEG")),
        ("shot.jpeg", picture("JPEG")),
        ("shot.webp", picture("WEBP")),
        ("all.zip", archive({"a.txt": b"hello"})),
        ("stored.zip", archive({"a.txt": b"hello", "b/": b"", "c/d.txt": bytes(200_000)}, zipfile.ZIP_STORED)),
        ("long.zip", archive({"ä.txt": bytes(range(256)) * 2000, "empty": b"", "a..b/c": b"x"})),
        ("object.docx", office_file("word/document.xml", **{"word/embeddings/oleObject1.bin": OLE})),
    ],
)
async def test_every_listed_kind_of_file_is_accepted(
    client: httpx.AsyncClient, settings: Settings, name: str, content: bytes
) -> None:
    response = await send(client, name, content)

    assert response.status_code == 201, response.text
    [stored] = files(settings)
    assert stored.stat().st_size == response.json()["size"]
    assert name not in stored.name
    assert stored.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.html", b"<!doctype html><p>hi"),
        ("drawing.svg", SVG),
        ("drawing.png", SVG),
        ("drawing.txt", SVG),
        ("page.md", b"  <HTML><script>1</script>"),
        ("run.exe", b"MZ\x90\x00"),
        ("run.pdf", b"MZ\x90\x00"),
        ("late.pdf", b"x" * 600 + PDF),
        ("binary.txt", b"\x00\x01\x02"),
        ("late-binary.txt", "Grüße".encode("cp1252") * 20_000 + b"\x01"),
        ("marked-page.txt", b"\xef\xbb\xbf<svg title='\xfc'>"),
        ("western-page.txt", b"\n<svg title='" + "Grüße".encode("cp1252") + b"'>"),
        ("shot.png", picture("JPEG")),
        ("broken.png", picture("PNG")[:60]),
        ("nothing.txt", b""),
        ("no-ending", b"hello"),
        ("macros.docx", office_file("word/document.xml", **{"word/vbaProject.bin": b"x"})),
        ("plain.docx", archive({"a.txt": b"hello"})),
        ("bomb.zip", archive({"zeros": bytes(30_000_000)})),
        ("bomb.docx", office_file("word/document.xml", zeros=bytes(30_000_000))),
        ("climbing.zip", archive({"../../etc/passwd": b"x"})),
        ("many.zip", archive({str(n): b"" for n in range(6000)})),
        ("cut.zip", archive({"a.txt": b"hello"})[:-10]),
        ("drive.zip", archive({"C:\\Windows\\a.txt": b"x"})),
        ("drive.zip", archive({"c:a.txt": b"x"})),
        ("share.zip", archive({"\\\\server\\share\\a.txt": b"x"})),
        ("link.zip", archive({"to": b"/etc/passwd"}, mode=stat.S_IFLNK | 0o777)),
        ("device.zip", archive({"disk": b""}, mode=stat.S_IFBLK | 0o600)),
        ("small.zip", with_false_size(archive({"a.txt": bytes(100_000)}), 100_000, 1000)),
        ("large.zip", with_false_size(archive({"a.txt": bytes(1000)}), 1000, 100_000)),
        ("another.zip", archive({"a.txt": b"x"}).replace(b"a.txt", b"../b.", 1)),
        ("rare.zip", archive({"a.txt": b"hello"}, zipfile.ZIP_BZIP2)),
        ("renamed.docx", office_file("word/document.xml", **{"word/theme.bin": OLE_WITH_MACROS})),
        ("renamed.xlsx", office_file("xl/workbook.xml", **{"xl/printer.bin": bytes(65_530) + OLE_WITH_MACROS})),
        ("renamed.zip", office_file("word/document.xml", **{"word/theme.bin": OLE_WITH_MACROS})),
        (
            "docm.docx",
            office_file("word/document.xml", types=b"<Types><Override ContentType='word.document.MacroEnabled.main+xml'/>"),
        ),
        ("spelt.docx", office_file("word/document.xml", types=b"<Types>ms-office.&#118;baProject</Types>")),
        ("wide.docx", office_file("word/document.xml", types="<Types>ms-office.vbaProject</Types>".encode("utf-16"))),
        ("entity.docx", office_file("word/document.xml", types=b"<!DOCTYPE x [<!ENTITY v 'vba'>]><Types>&v;Project</Types>")),
        ("rel.docx", office_file("word/document.xml", **{"word/_rels/document.xml.rels": b"<R Type='x/vbaProject'/>"})),
    ],
)
async def test_other_files_are_refused_and_not_stored(
    client: httpx.AsyncClient, settings: Settings, name: str, content: bytes
) -> None:
    response = await send(client, name, content)

    assert response.status_code in (413, 415), response.text
    assert files(settings) == []


async def test_a_picture_keeps_its_orientation_and_loses_its_metadata(client: httpx.AsyncClient, settings: Settings) -> None:
    await send(client, "shot.jpg", picture("JPEG", (40, 20)))

    [stored] = files(settings)
    with Image.open(stored) as image:
        assert image.size == (40, 20)
        assert set(image.getexif()) == {0x0112}  # the orientation
    assert b"secret place" not in stored.read_bytes()


async def test_a_file_of_the_maximum_size_is_accepted(client: httpx.AsyncClient) -> None:
    assert (await send(client, "long.txt", b"a" * MAX_FILE_BYTES)).status_code == 201


async def test_an_endless_upload_is_refused_after_a_while(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.provider.leads.endpoints._DRAIN_SECONDS", 0.2)

    async def without_end() -> AsyncIterator[bytes]:
        while True:
            yield b"a" * 2**20

    response = await client.post(
        "/v1.0/attachments", content=without_end(), headers={"Content-Type": "multipart/form-data; boundary=cut"}
    )

    assert response.status_code == 400  # not a form


async def test_an_upload_that_breaks_off_leaves_nothing(client: httpx.AsyncClient, settings: Settings) -> None:
    async def partial_body() -> AsyncIterator[bytes]:
        yield b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + b"a" * 100_000

    response = await client.post(
        "/v1.0/attachments", content=partial_body(), headers={"Content-Type": "multipart/form-data; boundary=cut"}
    )

    assert response.status_code == 400
    assert files(settings) == []


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{}"),
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=x", b"nonsense"),
        ("multipart/form-data; boundary=x", b""),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nhi\r\n--x--\r\n'),
        ("multipart/form-data; boundary=x", b"--x\r\n" + b"A: " + b"a" * 20_000),
        *(
            (f"multipart/form-data; {boundary}", b"--x\r\n")
            for boundary in ("boundary*=idna''%ff", "boundary*" + "9" * 5000 + "=x", "boundary=", "boundary=" + "\xe4" * 300)
        ),
    ],
)
async def test_invalid_uploads_are_refused(client: httpx.AsyncClient, kind: str, body: bytes) -> None:
    response = await client.post("/v1.0/attachments", content=body, headers=[(b"Content-Type", kind.encode("latin-1"))])

    assert 400 <= response.status_code < 500, response.text


async def test_two_files_at_once_are_refused(client: httpx.AsyncClient, settings: Settings) -> None:
    response = await client.post("/v1.0/attachments", files=[("file", ("a.txt", b"a")), ("file", ("b.txt", b"b"))])

    assert response.status_code == 422
    assert files(settings) == []


async def test_a_name_is_shown_without_its_path_and_tricks(client: httpx.AsyncClient) -> None:
    response = await send(client, "C:\\secret\\..\\inv\u202etxt.pdf", PDF)

    assert response.json()["name"] == "invtxt.pdf"


def upload_named(disposition: bytes, content: bytes = b"hello") -> dict[str, Any]:
    """Returns a form whose part has this header for its file, and the request's header."""
    body = b"--b\r\nContent-Disposition: form-data" + disposition + b"\r\n\r\n" + content + b"\r\n--b--\r\n"
    return {"content": body, "headers": {"Content-Type": "multipart/form-data; boundary=b"}}


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (b"; filename*=utf-8''gr%C3%BC%C3%9Fe.txt", "grüße.txt"),
        (b"; filename*=UTF-8'de'gr%C3%BCn.txt", "grün.txt"),
        (b"; filename*=iso-8859-1''gr%FC%DFe.txt", "grüße.txt"),
        (b"; filename*=utf-8''a%FFb.txt", "a\ufffdb.txt"),
        (b"; filename=plain.txt; filename*=idna''%ff", "plain.txt"),
        ('; filename="grüße.txt"'.encode(), "grüße.txt"),
        (b'; filename="a\xffb.txt"', "a\ufffdb.txt"),
    ],
)
async def test_a_name_is_read_in_the_character_sets_of_the_web(
    client: httpx.AsyncClient, disposition: bytes, name: str
) -> None:
    response = await client.post("/v1.0/attachments", **upload_named(disposition))

    assert (response.status_code, response.json().get("name")) == (201, name), response.text


async def test_a_name_in_another_codec_of_python_is_refused(client: httpx.AsyncClient) -> None:
    codecs = {
        *encodings.aliases.aliases.values(),
        "idna",
        "punycode",
        "undefined",
        "unicode_escape",
        "raw_unicode_escape",
        "no",
    }

    forms = {codec: upload_named(f"; filename*={codec}''%ff.txt".encode()) for codec in codecs - {"utf_8", "latin_1"}}
    statuses = {codec: (await client.post("/v1.0/attachments", **form)).status_code for codec, form in forms.items()}

    assert set(statuses.values()) == {422}, statuses


@pytest.mark.parametrize(
    "disposition",
    [b"; filename*" + b"9" * 5000 + b"=a.txt", b"; filename*0*=x; filename*0*=y", b'; filename="' + b";" * 7000, b";" * 8000, b"; filename="],
)  # fmt: skip
async def test_a_malformed_file_name_is_refused(client: httpx.AsyncClient, disposition: bytes) -> None:
    response = await client.post("/v1.0/attachments", **upload_named(disposition))

    assert 400 <= response.status_code < 500, response.text


async def test_a_quote_request_claims_its_files(client: httpx.AsyncClient, context: ApiContext, token: str) -> None:
    ids = [(await send(client, f"{n}.txt", b"hello")).json()["id"] for n in range(2)]

    response = await client.post("/v1.0/requestQuote", json=quote(token=token, attachments=ids))

    assert response.status_code == 200, response.text
    claimed = await context.store.read(lambda session: list(session.exec(select(Attachment.claimed_by))))
    assert claimed == [response.json()["reference"]] * 2


async def test_a_file_cannot_be_claimed_twice(client: httpx.AsyncClient, token: str) -> None:
    identity = (await send(client, "a.txt", b"hello")).json()["id"]
    await client.post("/v1.0/requestQuote", json=quote(token=token, attachments=[identity]))

    response = await client.post("/v1.0/requestQuote", json=quote(token=token, attachments=[identity]))

    assert response.status_code == 422
    assert response.json()["error"]["fields"].keys() == {"attachments"}


async def test_a_file_can_be_deleted_until_it_is_claimed(client: httpx.AsyncClient, settings: Settings, token: str) -> None:
    free, claimed = [(await send(client, f"{n}.txt", b"hello")).json()["id"] for n in range(2)]
    await client.post("/v1.0/requestQuote", json=quote(token=token, attachments=[claimed]))

    responses = [await client.delete(f"/v1.0/attachments/{identity}") for identity in (free, free, claimed, "nothing", "%00")]

    assert [response.status_code for response in responses] == [200, 404, 404, 404, 404]
    assert len(files(settings)) == 1


async def test_unclaimed_files_are_erased_after_some_hours(
    client: httpx.AsyncClient, context: ApiContext, settings: Settings, clock: Clock, token: str
) -> None:
    claimed = (await send(client, "claimed.txt", b"hello")).json()["id"]
    await client.post("/v1.0/requestQuote", json=quote(token=token, attachments=[claimed]))
    await send(client, "left.txt", b"hello")

    clock.advance(timedelta(hours=4))
    await sweep_once(context.store, settings, clock())

    assert len(files(settings)) == 1
    assert await context.store.read(lambda session: list(session.exec(select(Attachment.id)))) == [claimed]


async def test_leftovers_of_a_crash_are_erased_too(context: ApiContext, settings: Settings, clock: Clock) -> None:
    folder = settings.var / "attachments"
    folder.mkdir(exist_ok=True)
    (folder / "0123.unfinished").write_bytes(b"half")

    clock.advance(timedelta(minutes=11))
    await sweep_once(context.store, settings, clock())

    assert files(settings) == []


async def test_only_mails_of_erased_leads_are_removed_from_the_folder(
    client: httpx.AsyncClient, context: ApiContext, settings: Settings, clock: Clock
) -> None:
    reference = (await client.post("/v1.0/sendMessage", json=message())).json()["reference"]
    folder = settings.var / "letters" / "mail"
    folder.mkdir(parents=True)
    for number in range(1200):
        (folder / f"M-GONE-{number}.answer.0@x.eml").touch()
    (folder / f"{reference}.answer.0@x.eml").touch()
    (folder / "of_somebody_else.txt").touch()

    await sweep_once(context.store, replace(settings, var=folder.parent), clock())

    assert {file.name for file in folder.iterdir()} == {f"{reference}.answer.0@x.eml", "of_somebody_else.txt"}


@pytest.mark.parametrize("declared", [True, False])
async def test_an_oversized_upload_is_read_to_its_end_before_the_response(
    api: Starlette, context: ApiContext, declared: bool
) -> None:
    """A response sent while the client still writes is lost if the connection is then cut."""
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    body = head + b"x" * (MAX_FILE_BYTES + 100_000) + b"\r\n--b--\r\n"
    headers = [(b"x-api-key", b"website"), (b"content-type", b"multipart/form-data; boundary=b")]
    headers += [(b"content-length", str(len(body)).encode())] if declared else []
    chunks = [body[start : start + 65536] for start in range(0, len(body), 65536)]
    unheard_at_answer: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": chunks.pop(0), "more_body": bool(chunks)}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            unheard_at_answer.append(len(chunks))
            assert message["status"] == 413

    scope = {
        "type": "http", "method": "POST", "path": "/v1.0/attachments", "headers": headers, "query_string": b"", "client": ("127.0.0.1", 1),
    }  # fmt: skip
    await api(scope, receive, send)

    assert unheard_at_answer == [0]

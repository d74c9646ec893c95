"""A partner's short link leads to a page of this site, with the code, and nowhere else."""

from pathlib import Path

import pytest

from site_app.core.settings import Settings
from site_app.serving.pages import ServedPages
from site_app.serving.partner_links import partner_link_target, with_partner_query
from site_app.serving.stored_files import StoredFile
from tests.unit.serving.small_site import client_of, write_page

pytestmark = pytest.mark.anyio
CODE = "A2C3D4E5"
LINKS = {
    f"/r/{CODE}": f"/?ref={CODE}",
    f"/r/{CODE.lower()}/": f"/?ref={CODE}",
    f"/r/{CODE}/th": f"/th?ref={CODE}",
    f"/r/{CODE}/th/faq": f"/th/faq?ref={CODE}",
    f"/r/{CODE}/faq/?a=1&ref=OTHER&b=%2F": f"/faq?ref={CODE}&a=1&b=%2F",
    # what is no page of the site leads to its front page
    f"/r/{CODE}//evil.example": f"/?ref={CODE}",
    f"/r/{CODE}/https://evil.example": f"/?ref={CODE}",
    f"/r/{CODE}/%2F%2Fevil.example": f"/?ref={CODE}",
    f"/r/{CODE}/%5Cevil.example": f"/?ref={CODE}",
    f"/r/{CODE}/..%2Foffice": f"/?ref={CODE}",
    f"/r/{CODE}/assets/boot-1234.js": f"/?ref={CODE}",
    f"/r/{CODE}/r/{CODE}": f"/?ref={CODE}",
}
NONE = (
    "/r",
    "/r/",
    "/r/short",
    f"/r/{CODE}X",
    "/r/A2C3D4E0",
    "/r/%0d%0aA2C3D4",
    "/r/" + "A" * 1000,
    f"/th/r/{CODE}",
    f"/R/{CODE}",
)


@pytest.mark.parametrize(("link", "target"), LINKS.items())
async def test_a_short_link_leads_to_a_page_with_the_code(static: Path, link: str, target: str) -> None:
    async with client_of(static, Settings()) as client:
        response = await client.get(link)

    assert (response.status_code, response.headers["location"]) == (302, target)
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", NONE)
async def test_an_address_without_a_valid_code_is_no_partner_link(static: Path, path: str) -> None:
    async with client_of(static, Settings()) as client:
        response = await client.get(path)

    assert "ref=" not in response.headers.get("location", "")


async def test_a_code_of_5000_characters_is_refused(static: Path) -> None:
    async with client_of(static, Settings()) as client:
        assert (await client.get("/r/" + "A" * 5000)).status_code == 414

    assert partner_link_target("/r/" + "A" * 5000, "", lambda page: True) is None


async def test_the_code_stays_when_a_visitor_is_led_to_the_language_they_chose(static: Path) -> None:
    async with client_of(static, Settings()) as client:
        short = await client.get(f"/r/{CODE}")
        response = await client.get(short.headers["location"], headers={"Cookie": "lang=th"})

    assert response.headers["location"] == f"/th?ref={CODE}"


LINKED = (
    '<a class="x" href="/faq">F</a><a href="/th/faq#top" data-a>T</a><a\nhref="/?open=quote&amp;a=1">Q</a><a href="/book">B</a>'
    '<a href="/picture.png">P</a><a href="#here">H</a><a href="//evil.example/faq">E</a><a href="https://x.example/faq">X</a>'
    '<a href="/nope">N</a><link rel="canonical" href="/faq"><script>const a = \'<a href="/faq">\'</script>'
    '<style>a::after{content:\'<a href="/faq">\'}</style><a data-href="/faq" href="/faq?ref=">R</a>'
)
CARRIED = (
    f'<a class="x" href="/faq?ref={CODE}">F</a><a href="/th/faq?ref={CODE}#top" data-a>T</a>'
    f'<a\nhref="/?open=quote&amp;a=1&amp;ref={CODE}">Q</a><a href="/book?ref={CODE}">B</a>'
    '<a href="/picture.png">P</a><a href="#here">H</a><a href="//evil.example/faq">E</a><a href="https://x.example/faq">X</a>'
    '<a href="/nope">N</a><link rel="canonical" href="/faq"><script>const a = \'<a href="/faq">\'</script>'
    f'<style>a::after{{content:\'<a href="/faq">\'}}</style><a data-href="/faq" href="/faq?ref=&amp;ref={CODE}">R</a>'
)
AS_STORED = (
    "",
    "?ref=",
    "?ref=short",
    f"?ref={CODE}X",
    f"?xref={CODE}",
    f"?utm_source=a&href={CODE}",
    "?ref=%3Cscript%3E",
    f"?REF={CODE}",
)


@pytest.fixture
def linked(static: Path) -> Path:
    write_page(static / "index.html", f"<html><head><script>t()</script></head><body>{LINKED}</body></html>")
    return static


def stored_home_page(static: Path) -> StoredFile:
    page = ServedPages.of(static, Settings()).files["/"]
    assert isinstance(page, StoredFile)
    return page


async def test_a_page_requested_with_a_code_has_it_in_its_links(linked: Path) -> None:
    async with client_of(linked, Settings()) as client:
        stored = await client.get("/")
        carried = await client.get(f"/?utm_source=x&ref={CODE.lower()}", headers={"Accept-Encoding": "br, gzip"})
        uncompressed = await client.get(f"/?ref={CODE}", headers={"Accept-Encoding": "identity"})

    assert LINKED in stored.text
    assert CARRIED in carried.text
    assert uncompressed.text == carried.text
    assert (carried.headers["content-encoding"], carried.headers["vary"]) == ("gzip", stored.headers["vary"])
    assert len({stored.headers["etag"], carried.headers["etag"], uncompressed.headers["etag"]}) == 3
    for name in ("content-security-policy", "cache-control", "content-type"):
        assert carried.headers[name] == stored.headers[name]


async def test_the_page_with_a_code_is_known_again_by_its_etag(linked: Path) -> None:
    async with client_of(linked, Settings()) as client:
        etag = (await client.get(f"/?ref={CODE}")).headers["etag"]
        second_reply = await client.get(f"/?ref={CODE}", headers={"If-None-Match": etag})
        of_another = await client.get("/?ref=C3D4E5F6", headers={"If-None-Match": etag})
        plain_reply = await client.get("/", headers={"If-None-Match": etag})
        head = await client.head(f"/?ref={CODE}")

    assert [response.status_code for response in (second_reply, of_another, plain_reply)] == [304, 200, 200]
    assert (head.text, head.headers["etag"]) == ("", etag)


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
@pytest.mark.parametrize("query", AS_STORED)
async def test_without_a_code_a_page_is_sent_as_it_is_stored(linked: Path, query: str, encoding: str) -> None:
    file = stored_home_page(linked)
    stored = dict(file.encoded).get(encoding.encode(), file.plain)
    async with (
        client_of(linked, Settings()) as client,
        client.stream("GET", f"/{query}", headers={"Accept-Encoding": encoding}) as response,
    ):
        body = b"".join([part async for part in response.aiter_raw()])

    assert body == stored.body
    assert response.headers["etag"].encode() == stored.etag


def test_a_page_without_a_code_is_not_copied(linked: Path) -> None:
    file = stored_home_page(linked)

    assert with_partner_query(file, b"", lambda _: True) is file
    assert with_partner_query(file, b"ref=short", lambda _: True) is file

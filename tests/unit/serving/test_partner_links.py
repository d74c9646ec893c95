"""A partner's short link leads to a page of this site, with the code, and nowhere else."""

from pathlib import Path

import pytest

from site_app.core.settings import Settings
from site_app.serving.partner_links import partner_link_target
from tests.unit.serving.test_site import client_of, static  # noqa: F401  (a fixture)

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
async def test_a_short_link_leads_to_a_page_with_the_code(static: Path, link: str, target: str) -> None:  # noqa: F811
    async with client_of(static, Settings()) as client:
        answer = await client.get(link)

    assert (answer.status_code, answer.headers["location"]) == (302, target)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", NONE)
async def test_what_has_not_the_shape_of_a_code_is_no_link(static: Path, path: str) -> None:  # noqa: F811
    async with client_of(static, Settings()) as client:
        answer = await client.get(path)

    assert "ref=" not in answer.headers.get("location", "")


async def test_a_code_of_5000_characters_is_refused(static: Path) -> None:  # noqa: F811
    async with client_of(static, Settings()) as client:
        assert (await client.get("/r/" + "A" * 5000)).status_code == 414

    assert partner_link_target("/r/" + "A" * 5000, "", lambda page: True) is None


async def test_the_code_stays_when_a_visitor_is_led_to_the_language_they_chose(static: Path) -> None:  # noqa: F811
    async with client_of(static, Settings()) as client:
        short = await client.get(f"/r/{CODE}")
        answer = await client.get(short.headers["location"], headers={"Cookie": "lang=th"})

    assert answer.headers["location"] == f"/th?ref={CODE}"

"""countries and currencies."""

import httpx
import pytest

pytestmark = pytest.mark.anyio


async def test_countries_come_named_in_the_asked_language(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1.0/countries", params={"language": "th"})

    kosovo = next(one for one in answer.json()["countries"] if one["code"] == "XK")
    assert kosovo == {"code": "XK", "name": "โคโซโว", "dial_code": "+383", "flag": "/flags/XK.svg"}


@pytest.mark.parametrize("path", ["countries", "currencies"])
async def test_a_list_is_not_sent_twice(client: httpx.AsyncClient, path: str) -> None:
    first = await client.get(f"/v1.0/{path}")
    again = await client.get(f"/v1.0/{path}", headers={"If-None-Match": f'"old", W/{first.headers["ETag"]}'})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]

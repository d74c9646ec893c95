"""The lists of countries and currencies."""

import httpx
import pytest

pytestmark = pytest.mark.anyio


async def test_countries_have_their_names_in_the_requested_language(client: httpx.AsyncClient) -> None:
    response = await client.get("/v1.0/countries", params={"language": "th"})

    kosovo = next(row for row in response.json()["countries"] if row["code"] == "XK")
    assert kosovo == {"code": "XK", "name": "โคโซโว", "dial_code": "+383", "flag": "/flags/XK.svg"}

"""The slots that the API offers."""

import httpx


async def free_slots(client: httpx.AsyncClient, **filters: str) -> list[str]:
    """Returns the ids of the free slots."""
    return [slot["id"] for slot in (await client.post("/v1.0/meetingSlots", json=filters)).json()["results"]]

"""From the start to the stop of a process: the provider's office is open, and the door leads to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette

from site_app.api.app import opened
from site_app.provider import embedded, install, remote
from site_app.settings import Settings


@asynccontextmanager
async def open_for_business(api: Starlette, settings: Settings) -> AsyncIterator[None]:
    """Embedded, the API of this process answers; elsewhere, the provider that SITE_PROVIDER_URL names."""
    if settings.provider_url:
        door = remote(settings)
        install(door)
        yield
        await door.close()
        return
    async with opened(api, settings):
        install(embedded(api, settings))
        yield

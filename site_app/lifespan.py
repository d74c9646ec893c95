"""From the start to the stop of a process: the provider is open, and the site's client leads to it."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from reflex.utils.exec import is_prod_mode
from starlette.applications import Starlette

from site_app.client import Provider, embedded, install, remote
from site_app.core.settings import Settings
from site_app.provider.api.app import opened, opened_for_visitors
from site_app.serving.unread_answers import end_unread_answers
from site_app.states.startup import load_every_list


@asynccontextmanager
async def lifespan(api: Starlette, settings: Settings) -> AsyncIterator[None]:
    """Embedded, the API of this process answers; elsewhere, the provider that SITE_PROVIDER_URL names."""
    end_unread_answers()
    if not is_prod_mode():
        gc.enable()  # see site_app/plugins/static_first/toolchain.py
        from site_app.cli.database import prepare  # with Alembic and all commands: what is served does without

        prepare(settings)  # `serve` does it once, before its workers
    async with _provider_of(api, settings) as provider:
        install(provider)
        loading = [asyncio.create_task(load_every_list())] if settings.redis_url else []
        try:
            yield
        finally:
            for task in loading:
                task.cancel()
            await asyncio.gather(*loading, return_exceptions=True)
            await provider.close()


@asynccontextmanager
async def _provider_of(api: Starlette, settings: Settings) -> AsyncIterator[Provider]:
    if settings.provider_url:
        async with opened_for_visitors(api, settings):
            yield remote(settings)
    else:
        async with opened(api, settings):
            yield embedded(api, settings)

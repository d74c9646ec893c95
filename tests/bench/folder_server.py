"""An ASGI application that serves one folder from memory, with the site's own file layer and none of its headers."""

import os
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from site_app.web.answers import plain
from site_app.web.files import load


def folder_server() -> ASGIApp:
    """Of the folder BENCH_FOLDER; a page answers to its address with and without a slash at its end."""
    files = load(Path(os.environ["BENCH_FOLDER"]), (), lambda _html: (b"x-content-type-options", b"nosniff"))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        elif (file := files.get(scope["path"]) or files.get(scope["path"].rstrip("/"))) is not None:
            await file(scope, receive, send)
        else:
            await plain(send, 404, "Not found\n", ())

    return serve

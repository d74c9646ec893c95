"""Removes Reflex's CORS headers from the office."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from site_app.core.http.paths import is_office
from site_app.core.settings import Settings
from site_app.serving.headers import Header
from site_app.serving.site import host_name

_CORS = b"access-control-"


class OfficeWithoutCors:
    """Removes the CORS headers from requests to the office and from its responses, so that pages of other origins can never read them.

    A static host's origin may read the API with credentials. Without its headers a preflight is a plain OPTIONS request, which the
    office refuses.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_office(scope["path"], host_name(scope), self._settings):
            await self._app(scope, receive, send)
            return

        async def send_without_cors(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _without_cors(message["headers"])}
            await send(message)

        await self._app({**scope, "headers": _without_cors(scope["headers"])}, receive, send_without_cors)


def _without_cors(headers: list[Header]) -> list[Header]:
    return [header for header in headers if not header[0].lower().startswith(_CORS)]

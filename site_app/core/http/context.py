"""What every endpoint works with, wherever the provider is."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from starlette.requests import Request

from site_app.core.http.limits import Limits
from site_app.core.settings import Settings


class Clock(Protocol):
    def __call__(self) -> datetime: ...


@dataclass(frozen=True)
class AppContext:
    """Made at the start and kept in the application's state; the API's own context has more."""

    settings: Settings
    limits: Limits
    clock: Clock


def context_of(request: Request) -> AppContext:
    return request.app.state.context

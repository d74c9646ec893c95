"""The context of every endpoint: settings, rate limits and clock."""

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
    """Created at the start and stored in the application's state; the API's context has more fields."""

    settings: Settings
    limits: Limits
    clock: Clock


def context_of(request: Request) -> AppContext:
    return request.app.state.context

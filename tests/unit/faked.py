"""A fake state for background handlers, without a browser."""

from types import SimpleNamespace
from typing import Any

from site_app.states.snackbar import SnackbarState
from site_app.states.startup import SharedList, shared_list


class FakeState:
    """Has the fields of states with background handlers, a lock, the page's and the visitor's address, and the other states."""

    def __init__(self, path: str = "/") -> None:
        self.router = SimpleNamespace(url=SimpleNamespace(path=path), session=SimpleNamespace(client_ip="203.0.113.9"))
        self.snackbar = SnackbarState()
        self.reply: Any = None
        self.loading = False
        self.countries_in = self.currencies_in = ""
        self.failures: dict[str, int] = {}

    async def __aenter__(self) -> "FakeState":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def get_state(self, _kind: type) -> SnackbarState:
        return self.snackbar

    @property
    def countries(self) -> SharedList:
        return shared_list("countries", self.countries_in)

    @property
    def currencies(self) -> SharedList:
        return shared_list("currencies", self.currencies_in)

"""All states of a visitor are removed from memory together."""

import asyncio
import gc
import weakref
from types import SimpleNamespace

import pytest
import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken

from site_app.plugins.socket_guard import DisconnectedSessions
from site_app.site_app import app

pytestmark = pytest.mark.anyio
TOKEN = "0b5c8e2a-93d4-4c1f-8a67-5e2f1d3c4b5a"


class RoomState(rx.SharedState):
    topic: str = ""


@pytest.fixture
async def manager(monkeypatch: pytest.MonkeyPatch):
    memory_manager = StateManagerMemory()
    monkeypatch.setattr(app, "_state_manager", memory_manager)
    yield memory_manager
    await memory_manager.close()


def of(token: str) -> BaseStateToken:
    return BaseStateToken(ident=token, cls=rx.State)


async def test_forgetting_a_token_frees_all_its_states(manager: StateManagerMemory) -> None:
    async with manager.modify_state(of(TOKEN)) as state:
        dialog = weakref.ref(await state.get_state(rx.State))
    del state
    assert DisconnectedSessions(app).idle() == [TOKEN]

    gc.disable()  # freed by reference counting, not by the garbage collector
    try:
        DisconnectedSessions(app).forget(TOKEN)
        forgotten = dialog() is None
    finally:
        gc.enable()

    assert forgotten
    assert (manager.states, manager._states_locks, manager._token_expires_at) == ({}, {}, {})


async def test_a_state_with_a_running_event_is_kept(manager: StateManagerMemory) -> None:
    async with manager.modify_state(of(TOKEN)):
        DisconnectedSessions(app).forget(TOKEN)

        assert list(manager.states) == [TOKEN]


async def test_forgetting_an_unknown_token_does_nothing(manager: StateManagerMemory) -> None:
    DisconnectedSessions(app).forget("unknown")

    assert not manager.states
    await asyncio.sleep(0)


async def test_a_state_that_visitors_share_is_kept_while_one_of_them_is_connected(
    manager: StateManagerMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    sockets = {TOKEN: "a socket"}
    monkeypatch.setattr(app, "_event_namespace", SimpleNamespace(token_to_sid=sockets))
    async with manager.modify_state(BaseStateToken(ident="room1", cls=RoomState)) as state:
        (await state.get_state(RoomState))._linked_from = {TOKEN, "left before"}
    sessions = DisconnectedSessions(app)

    sessions.forget("room1")
    assert (list(manager.states), sessions.idle()) == (["room1"], [])

    sockets.clear()
    assert sessions.idle() == ["room1"]
    sessions.forget("room1")
    assert not manager.states

"""Events that handlers pass to calls are listed, and no other methods of a state."""

from typing import Any

import pytest
import reflex as rx
from reflex.event import call_script
from reflex_base.registry import RegistrationContext

from site_app.plugins.static_first.named_events import named_events

_stored_number = rx._x.client_state("stored_number", default=1)


class ReplyState(rx.State):
    @rx.event
    def take(self, value: str) -> None: ...

    @rx.event
    def take_other(self, value: str) -> None: ...

    @rx.event
    def undo(self, item: str = "") -> None: ...


UNDO = {"label": "Undo", "on_click": ReplyState.undo}
TAKE = ReplyState.take("1")
ASK = rx.call_script("document.title", callback=ReplyState.take)
CHOICES = [("Take", ReplyState.take), ("Other", {"on_click": ReplyState.take_other("2")})]
ENDLESS: list[Any] = [ReplyState.undo]
ENDLESS.append(ENDLESS)


def ask() -> Any:
    return rx.call_script("document.title", callback=ReplyState.take)


def ask_by_way() -> Any:
    return ask()


def take_size(size: Any) -> Any:
    return ReplyState.take(size)


class HandlerState(rx.State):
    log: str = ""

    @rx.event
    def by_attribute(self):
        yield ReplyState.undo()
        yield rx.call_script("document.title", callback=ReplyState.take)
        return rx.call_function("size", lambda size: ReplyState.take_other(size))

    @rx.event
    def by_name(self):
        return call_script("document.title", callback=ReplyState.take)

    @rx.event
    def by_function(self):
        return ask_by_way()

    @rx.event
    def by_method(self):
        return self._ask()

    def _ask(self) -> Any:
        return ask()

    @rx.event
    def by_named_callback(self):
        return rx.call_function("size", take_size)

    @rx.event
    def by_local_callback(self):
        def take(value: Any) -> Any:
            return ReplyState.take(value)

        return rx.call_function("size", take)

    @rx.event
    def by_toast(self):
        return rx.toast.info("Removed", action={"label": "Undo", "on_click": ReplyState.undo("tea")})

    @rx.event
    def by_variable(self):
        action = {"label": "Undo", "on_click": ReplyState.undo.debounce(10)}
        return rx.toast.info("Removed", action=action)

    @rx.event
    def by_client_state(self):
        return _stored_number.retrieve(ReplyState.take)

    @rx.event
    def by_constant(self):
        return rx.toast.info("Removed", action=UNDO)

    @rx.event
    def by_constant_event(self):
        return rx.toast.info("Removed", action={"label": "Take", "on_click": TAKE})

    @rx.event
    def by_constant_call(self):
        return ASK

    @rx.event
    def by_loop(self):
        for label, handler in CHOICES:
            yield rx.toast.info("Removed", action={"label": label, "on_click": handler})

    @rx.event
    def by_comprehension(self):
        return [rx.call_script("document.title", callback=handler) for handler in (ReplyState.take, ReplyState.undo)]

    @rx.event
    def by_endless_list(self):
        return rx.call_function("size", ENDLESS)

    @rx.event
    def by_local_import(self):
        from tests.unit.static_first.test_named_events import ReplyState as Imported

        return rx.call_script("document.title", callback=Imported.take)

    @rx.event
    def by_own_class(self):
        own = type(self)
        yield rx.call_script("document.title", callback=type(self).finish)
        yield rx.call_script("document.title", callback=own.finish)

    @rx.event
    def finish(self, title: str) -> None: ...

    @rx.event
    def on_server(self):
        self.log += "x".join(self.describe())
        sorted(self.log, key=self.describe)
        self.describe()
        yield ReplyState.undo
        yield TAKE
        return [ReplyState.undo("tea"), HandlerState.finish("")]

    def describe(self, letter: str = "") -> str:
        return letter


@pytest.mark.parametrize(
    ("handler", "names"),
    [
        ("by_attribute", {"take", "take_other"}),
        ("by_name", {"take"}),
        ("by_function", {"take"}),
        ("by_method", {"take"}),
        ("by_named_callback", {"take"}),
        ("by_local_callback", {"take"}),
        ("by_toast", {"undo"}),
        ("by_variable", {"undo"}),
        ("by_client_state", {"take"}),
        ("by_constant", {"undo"}),
        ("by_constant_event", {"take"}),
        ("by_constant_call", {"take"}),
        ("by_loop", {"take", "take_other"}),
        ("by_comprehension", {"take", "undo"}),
        ("by_endless_list", {"undo"}),
        ("by_local_import", {"take"}),
        ("by_own_class", {"finish"}),
        ("on_server", set()),
        ("describe", set()),
        ("setvar", set()),
    ],
)
def test_the_events_in_arguments_of_a_handlers_calls_are_named(handler: str, names: set[str]) -> None:
    registered = RegistrationContext.ensure_context().event_handlers[f"{HandlerState.get_full_name()}.{handler}"]

    assert {name.rpartition(".")[2] for name in named_events([registered])} == names


def test_handlers_of_reflex_name_no_events() -> None:
    of_reflex = [
        registered
        for registered in RegistrationContext.ensure_context().event_handlers.values()
        if registered.states[0].__module__.startswith("reflex")
    ]

    assert of_reflex
    assert list(named_events(of_reflex)) == []

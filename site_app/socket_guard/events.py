"""Which events a browser may send: those that a page binds, with the types that their handlers' annotations name."""

import inspect
import json
import types
import typing
from collections.abc import Callable, Collection, Mapping
from typing import Any

import typing_extensions
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, create_model

MAX_ITEMS = 1000  # of a payload: every key, value and entry of a list counts
_SETVAR = "setvar"  # sets any field of its state, whatever the handlers of the state allow
# Reflex turns the text of an input into the number that the handler names, for a parameter itself and for none inside a list.
_NUMBERS: Mapping[Any, Any] = {
    int: typing.Annotated[str, Field(pattern=r"^[+-]?[0-9]{1,15}$")],
    float: typing.Annotated[str, Field(pattern=r"^[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})(e[+-]?[0-9]{1,2})?$")],
}


class EventRefused(Exception):
    """No page sends this event. The text is a constant, followed by the name of a handler of this app where there is one."""


class PayloadRefused(EventRefused):
    """A page sends this event, and not with such a payload."""


class UncheckableEvent(Exception):
    """A page binds a handler whose payload cannot be checked; the text says what to write instead."""


class EventTable:
    """Checks events against the handlers of an app.

    `bound` returns the wire names of the events that the pages bind; it is asked for each event, so that a page that is added during
    development counts at once. `handlers` are those of Reflex's RegistrationContext.
    """

    def __init__(self, bound: Callable[[], Collection[str]], handlers: Mapping[str, Any]) -> None:
        self._bound, self._handlers = bound, handlers
        self._adapters: dict[str, tuple[Any, TypeAdapter]] = {}

    def check(self, name: str, payload: Any) -> None:
        """Raise EventRefused unless a page binds this event and its payload has the parameters of the handler, each of its type."""
        registered = self._handlers.get(name)
        if registered is None:
            raise EventRefused("unlisted event")
        if name not in self._bound() or name.endswith(f".{_SETVAR}"):
            raise EventRefused(f"unlisted event {handler_name(name, registered)}")
        if _has_more_items(payload, MAX_ITEMS):
            raise PayloadRefused(f"payload too large for {handler_name(name, registered)}")
        try:
            self._adapter(name, registered).validate_json(json.dumps(payload), strict=True)
        except (ValidationError, ValueError, RecursionError):
            raise PayloadRefused(f"payload of {handler_name(name, registered)}") from None

    def _adapter(self, name: str, registered: Any) -> TypeAdapter:
        """The check of a handler's payload; made anew when development has loaded the handler again."""
        handler, adapter = self._adapters.get(name, (None, None))
        if adapter is None or handler is not registered.handler:
            adapter = payload_adapter(registered.handler.fn)
            self._adapters[name] = registered.handler, adapter
        return adapter


def check_handlers(bound: Collection[str], handlers: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each bound event that could not be checked: what is wrong, and what to write instead."""
    problems = []
    for name in sorted(bound):
        if (registered := handlers.get(name)) is None:
            continue
        if name.endswith(f".{_SETVAR}"):
            state = handler_name(name, registered).rpartition(".")[0]
            problems.append(
                f"A page binds {state}.setvar, by which a browser could set every var of that state. "
                "Write an event for the var: @rx.event, def set_amount(self, value: int): self.amount = value."
            )
            continue
        try:
            payload_adapter(registered.handler.fn)
        except UncheckableEvent as problem:
            problems.append(f"{handler_name(name, registered)}: {problem}")
    return problems


def handler_name(name: str, registered: Any) -> str:
    """Where the handler stands in the code, such as shop.states.cart.CartState.add."""
    (state, *_) = registered.states
    return f"{state.__module__}.{state.__qualname__}.{name.rpartition('.')[2]}"


def payload_adapter(function: Callable[..., Any]) -> TypeAdapter:
    """Return a strict check for the payload of a handler; raises UncheckableEvent where a parameter has no usable annotation."""
    _state, *parameters = inspect.signature(function).parameters.values()
    try:
        annotations = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise UncheckableEvent(f"the annotation {error.name!r} cannot be read. Import it where the state is defined.") from None
    fields: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise UncheckableEvent(f"*{parameter.name} takes anything. Name each parameter, with its type.")
        if parameter.name not in annotations:
            raise UncheckableEvent(
                f"its parameter {parameter.name} has no type, and a browser could send anything. "
                f"Write the type of what the page sends, for example {parameter.name}: str."
            )
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (_or_its_text(_checkable(annotations[parameter.name])), default)
    try:
        # aliases, because a parameter may have a name that pydantic keeps for itself
        model = create_model(
            "Payload",
            __config__=ConfigDict(extra="forbid", arbitrary_types_allowed=False, protected_namespaces=()),
            **{
                f"p{number}_": (kind, Field(default, alias=name)) for number, (name, (kind, default)) in enumerate(fields.items())
            },
        )
        return TypeAdapter(model)
    except Exception as error:  # pydantic raises errors of many classes for a type that it does not know
        raise UncheckableEvent(
            f"a type of its parameters cannot be checked ({type(error).__name__}). "
            "Use str, int, float, bool, list, dict, Literal, an Enum, a dataclass, a TypedDict or a pydantic model."
        ) from None


def _or_its_text(kind: Any) -> Any:
    """A number, or a text that Reflex will turn into it; likewise where the number may be None."""
    if kind in _NUMBERS:
        return kind | _NUMBERS[kind]
    if _is_union(kind) and (number := next((part for part in typing.get_args(kind) if part in _NUMBERS), None)):
        return kind | _NUMBERS[number] if len(typing.get_args(kind)) == 2 and type(None) in typing.get_args(kind) else kind
    return kind


def _checkable(kind: Any) -> Any:
    """The annotation with each TypedDict as pydantic wants it on Python before 3.12, and bare containers as they are."""
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        return typing_extensions.TypedDict(kind.__name__, {name: _checkable(hint) for name, hint in hints.items()}, total=kind.__total__)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is None or origin in (typing.Literal, typing.Annotated) or not arguments:
        return kind
    checkable = tuple(_checkable(argument) for argument in arguments)
    if checkable == arguments:
        return kind
    return typing.Union[checkable] if _is_union(kind) else origin[checkable]


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)


def _has_more_items(value: Any, limit: int) -> bool:
    """Count level by level and stop at the limit, so that a payload made to be counted costs nothing."""
    level, count = [value], 0
    while level:
        containers = [entry for entry in level if isinstance(entry, dict | list)]
        level = [entry for container in containers for entry in (container.values() if isinstance(container, dict) else container)]
        count += len(level)
        if count > limit:
            return True
    return False

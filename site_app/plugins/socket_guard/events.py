"""Checks the events that a browser sends: a page must bind them, and the payload must match the annotations of the handler."""

import functools
import inspect
import json
import operator
import re
import types
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import typing_extensions
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from reflex.istate.storage import LocalStorage
from reflex.state import BaseState, State, UpdateVarsInternalState
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event.processor.base_state_processor import _transform_event_payload
from reflex_base.utils.form import FORM_DATA_ENTRIES_KEY, FormData, transform_form_data
from reflex_base.utils.format import format_event_handler
from reflex_base.utils.types import get_required_typed_dict_keys

MAX_ITEMS = 1000  # of a payload: every key, value and list entry counts
MAX_STORED_LENGTH = 8000  # characters of a value of browser storage
_SETVAR = "setvar"  # sets any field of its state, whatever the handlers of the state allow
# Parts of self.router.headers that are always empty, because the guard passes on no header that describes the visitor's browser.
_EMPTY_HEADERS = frozenset({"user_agent", "accept_language", "accept_encoding", "cookie", "cache_control", "pragma"})
_MISSING_RAW_HEADERS = frozenset({name.replace("_", "-") for name in _EMPTY_HEADERS} | {"referer"})
# Reflex converts the text of an input to the number type of the parameter, but not inside lists.
_NUMBERS: Mapping[Any, re.Pattern[str]] = {
    int: re.compile(r"[+-]?[0-9]{1,15}"),
    float: re.compile(r"[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})(e[+-]?[0-9]{1,2})?"),
}
_QUALIFIERS = (typing_extensions.Required, typing_extensions.NotRequired, typing_extensions.ReadOnly)


class EventRefused(Exception):
    """No page sends this event. The message is a constant, followed by the name of the handler if the event has one."""


class PayloadRefused(EventRefused):
    """A page sends this event, but never with such a payload."""


class UncheckableEvent(Exception):
    """A page binds a handler whose payload cannot be checked; the message says what to write instead."""


class EventTable:
    """Checks events against the handlers of an app.

    `bound` returns the wire names of the events that the pages bind. It is called for each event, so that a page added during development
    counts at once. `handlers` are those of Reflex's RegistrationContext.
    """

    def __init__(self, bound: Callable[[], Collection[str]], handlers: Mapping[str, Any]) -> None:
        self._bound = bound
        self._handlers = handlers
        self._adapters: dict[str, tuple[Any, TypeAdapter, dict[str, Any]]] = {}

    def check(self, name: str, payload: Any) -> None:
        """Raises EventRefused unless a page binds this event and the payload matches the handler's parameters and their types."""
        registered = self._handlers.get(name)
        if registered is None:
            raise EventRefused("unlisted event")
        if name not in self._bound() or name.endswith(f".{_SETVAR}"):
            raise EventRefused(f"unlisted event {handler_name(name, registered)}")
        handler = handler_name(name, registered)
        if _has_more_items(payload, MAX_ITEMS):
            raise PayloadRefused(f"payload too large for {handler}")
        try:
            adapter, hints = self._adapter(name, registered)
            adapter.validate_json(json.dumps(_with_form_data(payload, hints)), strict=True)
            _transform_event_payload(payload, hints)  # Reflex would pass on values that this cannot convert
            if name in _storage_events():
                _check_stored_values(payload.get("vars") or {}, may_be_removed=name == _removal_event())
        except UncheckableEvent as problem:
            raise PayloadRefused(f"{handler}: {problem}") from None
        except (ValidationError, ValueError, RecursionError):
            raise PayloadRefused(f"payload of {handler}") from None

    def _adapter(self, name: str, registered: Any) -> tuple[TypeAdapter, dict[str, Any]]:
        """Returns the check of a handler's payload and its annotations; rebuilds them when development has reloaded the handler."""
        function, adapter, hints = self._adapters.get(name, (None, None, {}))
        if adapter is None or function is not registered.handler.fn:
            function = registered.handler.fn
            adapter = payload_adapter(function)
            hints = typing.get_type_hints(function)
            self._adapters[name] = function, adapter, hints
        return adapter, hints


def check_handlers(bound: Collection[str], handlers: Mapping[str, Any]) -> list[str]:
    """Returns a sentence for each bound event that cannot be checked, and for each function of a state that reads an empty header.

    A sentence says what is wrong, and what to write instead.
    """
    problems = [
        f"{name} reads self.router.headers.{header}, which is always empty: the server gives a state "
        "no header that describes the visitor's browser. Ask the page instead, for example "
        'rx.call_script("navigator.userAgent", callback=…) or "navigator.language".'
        for name, function in _functions_of_states(handlers)
        for header in _empty_headers_read(function)
    ]
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


def _functions_of_states(handlers: Mapping[str, Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yields the handlers, and the computed vars and other methods of their states, each with its qualified name in the code."""
    for name, registered in sorted(handlers.items()):
        yield handler_name(name, registered), registered.handler.fn
    for state in dict.fromkeys(state for registered in handlers.values() for state in registered.states):
        computed = {name: var.fget for name, var in getattr(state, "computed_vars", {}).items()}
        for name, function in {**vars(state), **computed}.items():
            if isinstance(function, types.FunctionType):
                yield f"{state.__module__}.{state.__qualname__}.{name}", function


def _empty_headers_read(function: Callable[..., Any]) -> list[str]:
    """Returns the always empty headers that the function's code reads: headers.cookie or headers.raw_headers.get("cookie")."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    names, texts = _names_and_texts(code) if code else (set(), set())
    if not {"router", "headers"} <= names:
        return []
    raw = _MISSING_RAW_HEADERS.intersection(text.lower() for text in texts) if "raw_headers" in names else ()
    return [*sorted(_EMPTY_HEADERS & names), *(f'raw_headers["{header}"]' for header in sorted(raw))]


def _names_and_texts(code: types.CodeType) -> tuple[set[str], set[str]]:
    """Returns the names and texts in the code of a function and of the functions inside it."""
    names, texts, constants = {*code.co_names}, set[str](), [*code.co_consts]
    while constants:
        match constants.pop():
            case str(text):
                texts.add(text)
            case tuple() | frozenset() as inner:
                constants += inner
            case types.CodeType(co_names=inner_names, co_consts=inner):
                names |= {*inner_names}
                constants += inner
    return names, texts


def handler_name(name: str, registered: Any) -> str:
    """Returns the handler's qualified name in the code, such as shop.states.cart.CartState.add."""
    (state, *_) = registered.states
    return f"{state.__module__}.{state.__qualname__}.{name.rpartition('.')[2]}"


def payload_adapter(function: Callable[..., Any]) -> TypeAdapter:
    """Returns a strict check for the payload of a handler; raises UncheckableEvent if a parameter has no usable annotation."""
    _state, *parameters = inspect.signature(function).parameters.values()
    try:
        annotations = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise UncheckableEvent(f"the annotation {error.name!r} cannot be read. Import it where the state is defined.") from None
    except Exception as error:  # an annotation may be any expression, and raise any exception
        raise UncheckableEvent(f"its annotations cannot be read ({type(error).__name__}).") from None
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
        fields[parameter.name] = (annotations[parameter.name], default)
    try:
        # aliases, because a parameter may have a name that pydantic reserves
        aliased: dict[str, Any] = {
            f"p{number}_": (_or_its_text(_checkable(kind)), Field(default, alias=name))
            for number, (name, (kind, default)) in enumerate(fields.items())
        }
        strict = ConfigDict(extra="forbid", arbitrary_types_allowed=False, protected_namespaces=())
        model = create_model("Payload", __config__=strict, **aliased)
        return TypeAdapter(model)
    except Exception as error:  # pydantic raises many exception classes for an unknown type
        raise UncheckableEvent(
            f"a type of its parameters cannot be checked ({type(error).__name__}). "
            "Use str, int, float, bool, list, dict, Literal, an Enum, a dataclass, a TypedDict or a pydantic model."
        ) from None


def _or_its_text(kind: Any) -> Any:
    """Makes a number type, also with None or bounds, accept the text that Reflex converts to it; returns other types unchanged."""
    number = _number_of(kind)
    if number is None:
        return kind

    def read(value: Any) -> Any:
        return number(value) if isinstance(value, str) and _NUMBERS[number].fullmatch(value) else value

    return typing.Annotated[kind, BeforeValidator(read)]


def _number_of(kind: Any) -> Any:
    """Returns int or float if the annotation is that type apart from bounds and None, else None."""
    if typing.get_origin(kind) is typing.Annotated:
        return _number_of(typing.get_args(kind)[0])
    if _is_union(kind):
        parts = [part for part in typing.get_args(kind) if part is not type(None)]
        return _number_of(parts[0]) if len(parts) == 1 else None
    return kind if kind in (int, float) else None


def _checkable(kind: Any) -> Any:
    """Returns the annotation in a form that pydantic can check: TypedDicts of typing_extensions, which it needs before Python 3.12, and FormData as a dict."""
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in _QUALIFIERS:
        return _checkable(arguments[0])
    if isinstance(origin or kind, type) and issubclass(origin or kind, FormData):
        return dict[str, list[_checkable(arguments[1]) if arguments else Any]]
    if typing_extensions.is_typeddict(kind):
        required = get_required_typed_dict_keys(kind)
        hints = {name: _checkable(hint) for name, hint in typing_extensions.get_type_hints(kind, include_extras=True).items()}
        fields = {name: hint if name in required else typing_extensions.NotRequired[hint] for name, hint in hints.items()}
        make: Any = typing_extensions.TypedDict  # Any, because type checkers require literal fields
        open_type = make(kind.__name__, fields)
        # A form may have more fields than its handler reads, and an entry of a list more keys; the limits of the whole payload apply.
        open_type.__pydantic_config__ = ConfigDict(extra="allow", strict=True)
        return open_type
    if origin is None or origin is typing.Literal or not arguments:
        return kind
    if origin is typing.Annotated:
        return typing.Annotated[(_checkable(arguments[0]), *kind.__metadata__)]
    checkable = tuple(_checkable(argument) for argument in arguments)
    if checkable == arguments:
        return kind
    return functools.reduce(operator.or_, checkable) if _is_union(kind) else origin[checkable]


def _with_form_data(payload: Any, hints: Mapping[str, Any]) -> Any:
    """Returns the payload with each form's entries as Reflex passes them to the handler; FormData becomes a list of values per name."""
    if not isinstance(payload, dict):
        raise ValueError("a payload is an object")
    return {name: _form_values(value, hints.get(name, Any)) for name, value in payload.items()}


def _form_values(value: Any, hint: Any) -> Any:
    if isinstance(value, dict) and FORM_DATA_ENTRIES_KEY in value:
        match value[FORM_DATA_ENTRIES_KEY]:
            case list(entries) if all(
                isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) for entry in entries
            ):
                pass
            case _:
                raise ValueError("a form's entries are pairs of a name and a value")
    value = transform_form_data(value, hint)
    return {name: value.getlist(name) for name in value} if isinstance(value, FormData) else value


@functools.cache
def _removal_event() -> str:
    """Returns the event by which a tab says that another tab has removed an entry of rx.LocalStorage(sync=True)."""
    return format_event_handler(UpdateVarsInternalState.event_handlers["update_vars_internal"])


@functools.cache
def _storage_events() -> frozenset[str]:
    """Returns the events by which Reflex's browser code sends the stored values of rx.Cookie, rx.LocalStorage and rx.SessionStorage vars."""
    return frozenset(
        map(
            format_event_handler,
            (State.event_handlers["hydrate_and_load"], UpdateVarsInternalState.event_handlers["update_vars_internal"]),
        )
    )


def _check_stored_values(values: Mapping[str, Any], *, may_be_removed: bool) -> None:
    """Raises ValueError unless each key is a var of browser storage and each value a str of bounded length, or None for a removed entry."""
    for key, value in values.items():
        is_removed = value is None and may_be_removed
        if not is_removed and (not isinstance(value, str) or len(value) > MAX_STORED_LENGTH):
            raise ValueError("a stored value is a text")
        state, _, name = key.rpartition(".")
        fields, var = State.get_class_substate(state), name.removesuffix(FIELD_MARKER)
        if not fields._is_client_storage(var) or (is_removed and not _is_synced(fields, var)):
            raise ValueError("not a var of browser storage")


def _is_synced(state: type[BaseState], var: str) -> bool:
    """Returns True if tabs tell each other the changes of the var: rx.LocalStorage(sync=True)."""
    default = state.get_fields()[var].default
    return isinstance(default, LocalStorage) and default.sync


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)


def _has_more_items(value: Any, limit: int) -> bool:
    """Counts level by level and stops at the limit, so that a payload built to be expensive to count costs little."""
    level = [value]
    count = 0
    while level:
        containers = [entry for entry in level if isinstance(entry, dict | list)]
        level = [
            entry for container in containers for entry in (container.values() if isinstance(container, dict) else container)
        ]
        count += len(level)
        if count > limit:
            return True
    return False

"""The events that a handler's code passes to calls, whose replies the browser sends: rx.call_script("…", callback=State.received).

The compiled pages do not contain these events, because a handler sends them during a visit. They are read from the source of the handlers
and of the app's functions that these call.
"""

import ast
import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from importlib.util import resolve_name
from types import FunctionType, MethodType, ModuleType
from typing import Any

from reflex.state import BaseState
from reflex_base.event import EventHandler, EventSpec
from reflex_base.utils.format import format_event_handler

_OF_REFLEX = ("reflex", "reflex_base")  # their handlers name no events of an app
_MAX_DEPTH = 5  # of lists and dicts in a constant, which may contain itself
# An event in compiled JavaScript. Inside the text of a call's callback, its quotes are escaped.
_EVENT = re.compile(r"""ReflexEvent\(\s*\\?["']([\w.]+)\\?["']""")


def names_in_script(script: str) -> list[str]:
    """Returns the wire names of the events in compiled JavaScript."""
    return _EVENT.findall(script)


def names_in_arguments(event: EventSpec) -> Iterator[str]:
    """Yields the wire names of the events that the arguments of an event name: rx.call_script("…", callback=State.received)."""
    for _, value in event.args:
        yield from names_in_script(str(value))


def named_events(registered: Iterable[Any]) -> Iterator[str]:
    """Yields the wire names of the events that these handlers, of Reflex's RegistrationContext, name in the arguments of calls.

    Events that a handler only returns run on the server and are not yielded, nor are methods of its own state: `self.method`.
    """
    for event in registered:
        (state, *_) = event.states
        if _package(event.handler.fn) not in _OF_REFLEX:
            yield from _passed_events(inspect.unwrap(event.handler.fn), state)
    _source.cache_clear()


def _passed_events(handler: FunctionType, state: type[BaseState]) -> Iterator[str]:
    functions, to_read = {handler}, [handler]
    followed: set[Any] = set()
    while to_read:
        source = _source(to_read.pop(), state)
        yield from source.passed_events(followed)
        new_functions = {
            function for function in source.called_functions() if _package(function) == _package(state)
        } - functions
        functions |= new_functions
        to_read += new_functions


class _Source:
    """The syntax tree of a function, and the values of the names in it as far as they are known before it runs."""

    def __init__(self, function: FunctionType, state: type[BaseState]) -> None:
        try:
            self._tree: ast.AST = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, TypeError, SyntaxError):  # a function that Reflex or a decorator made
            self._tree = ast.Module([], [])
        self._state = state
        self._names = {**function.__globals__, **_closure(function), "self": state, **self._local_imports(function.__module__)}
        self._assigned = self._local_assignments()
        self._names |= {name: self._value(values[0]) for name, values in self._assigned.items()}

    def passed_events(self, followed: set[Any]) -> Iterator[str]:
        """Yields the events in the arguments of calls, also by way of a local variable, a constant or a function of the app.

        `followed` has the values of variables and the functions that were read before.
        """
        for call in self._calls():
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                yield from self._events_in(argument, followed)
        for part in ast.walk(self._tree):
            if isinstance(part, ast.Name | ast.Attribute) and isinstance(constant := self._value(part), EventSpec):
                yield from names_in_arguments(constant)

    def called_functions(self) -> Iterator[FunctionType]:
        for call in self._calls():
            if isinstance(function := self._value(call.func), FunctionType):
                yield inspect.unwrap(function)

    def _events_in(self, node: ast.AST, followed: set[Any]) -> Iterator[str]:
        """Yields the events that a part of the code names."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self._assigned:
                for value in self._assigned[part.id]:
                    if value not in followed:
                        followed.add(value)
                        yield from self._events_in(value, followed)
            elif isinstance(part, ast.Name | ast.Attribute):
                value = self._value(part)
                if isinstance(value, EventHandler) and _is_of_self(part):
                    continue
                yield from _events_of_constant(value)
                if isinstance(value, FunctionType) and value not in followed and _package(value) == _package(self._state):
                    followed.add(value)
                    source = _source(value, self._state)
                    yield from source._events_in(source._tree, followed)

    def _calls(self) -> list[ast.Call]:
        return [node for node in ast.walk(self._tree) if isinstance(node, ast.Call)]

    def _value(self, expression: ast.AST) -> Any:
        """Returns the value of a name, `module.name`, `State.name` or `type(self).name`; None for others."""
        match expression:
            case ast.Name(name):
                return self._names.get(name)
            case ast.Call(ast.Name("type"), [ast.Name("self")]) | ast.Attribute(ast.Name("self"), "__class__"):
                return self._state
            case ast.Attribute(owner, name):
                value = self._value(owner)
                member = getattr(value, name, None) if isinstance(value, type | ModuleType) else None
                return member.__func__ if isinstance(member, MethodType) else member
        return None

    def _local_imports(self, module: str) -> dict[str, Any]:
        """Returns the names that the function itself imports, as it may do with states that import each other; all states are loaded."""
        names = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.ImportFrom):
                source = sys.modules.get(resolve_name("." * node.level + (node.module or ""), module.rpartition(".")[0]))
                names |= {name.asname or name.name: getattr(source, name.name, None) for name in node.names}
        return names

    def _local_assignments(self) -> dict[str, list[ast.AST]]:
        """Returns the expressions that are assigned to each local variable, what a loop goes through, and the local functions."""
        assigned: dict[str, list[ast.AST]] = {}
        (outer, *_) = [*ast.iter_child_nodes(self._tree), self._tree]
        for node in ast.walk(self._tree):
            match node:
                case ast.Assign(targets, value):
                    names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
                case ast.For(target, value) | ast.AsyncFor(target, value) | ast.comprehension(target, value):
                    names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
                case ast.AnnAssign(ast.Name(name), value=ast.expr() as value) | ast.NamedExpr(ast.Name(name), value):
                    names = [name]
                case ast.FunctionDef(name) if node is not outer:
                    names, value = [name], node
                case _:
                    continue
            for name in names:
                assigned.setdefault(name, []).append(value)
        return assigned


@functools.cache
def _source(function: FunctionType, state: type[BaseState]) -> _Source:
    return _Source(function, state)


def _events_of_constant(value: Any, depth: int = 0) -> Iterator[str]:
    """Yields the events in a value: a handler, an event with arguments, or a list or dict that contains some."""
    match value:
        case EventHandler():
            yield format_event_handler(value)
        case EventSpec():
            yield format_event_handler(value.handler)
        case dict() | list() | tuple() if depth < _MAX_DEPTH:
            for inner in value.values() if isinstance(value, dict) else value:
                yield from _events_of_constant(inner, depth + 1)


def _is_of_self(expression: ast.expr) -> bool:
    """Returns True for `self.name`, a bound method that runs on the server."""
    match expression:
        case ast.Attribute(ast.Name("self"), name):
            return name != "__class__"
    return False


def _closure(function: FunctionType) -> dict[str, Any]:
    """Returns the values of the surrounding function that this one uses."""
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            values[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return values


def _package(definition: Any) -> str:
    """Returns the package of a function or class."""
    return (getattr(definition, "__module__", None) or "").partition(".")[0]

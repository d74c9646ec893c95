"""The events that a handler's code passes to calls, whose replies the browser sends: rx.call_script("…", callback=State.received).

The compiled pages do not contain these events, because a handler sends them during a visit. They are read from the source of the handlers
and of the app's functions that these call.
"""

import ast
import functools
import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator
from importlib.util import resolve_name
from types import FunctionType, MethodType, ModuleType
from typing import Any

from reflex.state import BaseState
from reflex_base.event import EventHandler
from reflex_base.utils.format import format_event_handler

_OF_REFLEX = ("reflex", "reflex_base")  # their handlers name no events of an app


def named_events(registered: Iterable[Any]) -> Iterator[str]:
    """Yields the wire names of the events that these handlers, of Reflex's RegistrationContext, name in the arguments of calls.

    Events that a handler only returns run on the server and are not yielded, nor are methods of its own state: `self.method`.
    """
    for event in registered:
        (state, *_) = event.states
        if _package(event.handler.fn) not in _OF_REFLEX:
            yield from map(format_event_handler, _passed_handlers(inspect.unwrap(event.handler.fn), state))
    _source.cache_clear()


def _passed_handlers(handler: FunctionType, state: type[BaseState]) -> Iterator[EventHandler]:
    functions, to_read = {handler}, [handler]
    followed: set[Any] = set()
    while to_read:
        source = _source(to_read.pop(), state)
        yield from source.passed_handlers(followed)
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

    def passed_handlers(self, followed: set[Any]) -> Iterator[EventHandler]:
        """Yields the handlers in the arguments of calls, also by way of a local variable or a function of the app.

        `followed` has the values of variables and the functions that were read before.
        """
        for call in self._calls():
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                yield from self._handlers_in(argument, followed)

    def called_functions(self) -> Iterator[FunctionType]:
        for call in self._calls():
            if isinstance(function := self._value(call.func), FunctionType):
                yield inspect.unwrap(function)

    def _handlers_in(self, node: ast.AST, followed: set[Any]) -> Iterator[EventHandler]:
        """Yields the handlers that a part of the code names."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self._assigned:
                for value in self._assigned[part.id]:
                    if value not in followed:
                        followed.add(value)
                        yield from self._handlers_in(value, followed)
            elif isinstance(part, ast.Name | ast.Attribute):
                value = self._value(part)
                if isinstance(value, EventHandler) and not _is_of_self(part):
                    yield value
                elif isinstance(value, FunctionType) and value not in followed and _package(value) == _package(self._state):
                    followed.add(value)
                    source = _source(value, self._state)
                    yield from source._handlers_in(source._tree, followed)

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
        """Returns the expressions that are assigned to each local variable, and the local functions."""
        assigned: dict[str, list[ast.AST]] = {}
        (outer, *_) = [*ast.iter_child_nodes(self._tree), self._tree]
        for node in ast.walk(self._tree):
            match node:
                case ast.Assign(targets, value):
                    names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
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

"""An event passes if a page binds it and each parameter has the type that its handler declares."""

import dataclasses
import enum
import logging
import typing
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

import pytest
import reflex as rx
import typing_extensions
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from reflex.state import State, UpdateVarsInternalState
from reflex_base.event import EventHandler, KeyInputInfo
from reflex_base.event.processor.base_state_processor import _prepare_event_payload
from reflex_base.utils.form import FormData
from reflex_base.utils.format import format_event_handler
from reflex_base.vars.base import ComputedVar

from site_app.plugins.socket_guard import EventTable, UncheckableEvent, check_handlers
from site_app.plugins.socket_guard.events import MAX_ITEMS, MAX_STORED_LENGTH, EventRefused, PayloadRefused, payload_adapter
from tests.unit.socket_guard.tables import registered, table


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Address(BaseModel):
    street: str
    number: int


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    opened: datetime


class Inner(typing.TypedDict):
    count: int


class Outer(typing.TypedDict, total=False):
    inner: typing.Required[Inner]
    note: Annotated[str, Field(max_length=3)]
    others: list[Inner]


class Base(typing.TypedDict):
    name: str


class Wider(Base, total=False):
    age: int


class Form(typing_extensions.TypedDict):
    news: bool
    tags: list[str]
    name: str


class Endless(typing.TypedDict):
    next: "Endless"


def taking(annotation: Any, *default: Any) -> Callable[..., None]:
    """Returns a handler with a parameter of that type."""

    def handler(self: Any, value: Any = None) -> None: ...

    handler.__annotations__ = {"value": annotation}
    handler.__defaults__ = default or None
    return handler


def wrapped(*entries: Any) -> dict[str, Any]:
    return {"__reflex_form_data__": [list(entry) for entry in entries]}


Maybe, Either = (
    typing.get_type_hints(taking("typing.Optional[int]"), {"typing": typing})["value"],
    typing.get_type_hints(taking("typing.Union[str, list[str]]"), {"typing": typing})["value"],
)
Positive: Any = typing.get_type_hints(taking("Annotated[int, Field(ge=1)] | None"), globals(), include_extras=True)["value"]
MOMENT = datetime.fromisoformat("2026-01-02T03:04:05")
WHOLE_POINT, ADDRESS = {"x": 1, "y": 2}, {"street": "a", "number": 7}
KEYS = {"alt_key": True, "ctrl_key": False, "meta_key": False, "shift_key": False}
# An annotation, the JSON that a browser sends, and the value that Reflex passes to the handler.
ACCEPTED: list[tuple[Any, Any, Any]] = [
    (int, 5, 5), (int, "5", 5), (int, "-12", -12), (int, "+3", 3), (int | None, None, None), (int | None, "5", 5), (Maybe, 5, 5),
    (float, 5.5, 5.5), (float, "5.5", 5.5), (float, ".5", 0.5), (float, "1e3", 1000.0), (float, 5, 5), (float | None, "2", 2.0),
    (str, "", ""), (str, "5", "5"), (bool, True, True), (int | str, "x", "x"), (int | str, 5, 5), (Either, ["a"], ["a"]),
    (list, [1, "a"], [1, "a"]), (list[int], [1, 2], [1, 2]), (dict, {"a": [1]}, {"a": [1]}), (dict[str, float], {"a": 1.5}, {"a": 1.5}),
    (Literal["a", 2], "a", "a"), (Literal["a", 2], 2, 2), (Size, "small", Size.SMALL), (Size | None, "small", Size.SMALL),
    (Point, WHOLE_POINT, Point(1, 2)), (Point, {"x": 1}, Point(1)), (Point | None, {"x": 1}, Point(1)),
    (Address, ADDRESS, Address(street="a", number=7)), (Closed, {"opened": MOMENT.isoformat()}, Closed(opened=MOMENT)),
    (Outer, {"inner": {"count": 1}}, {"inner": {"count": 1}}), (Outer, {"inner": {"count": 1}, "others": [{"count": 2}]}, {"inner": {"count": 1}, "others": [{"count": 2}]}),
    (list[Inner], [{"count": 1}], [{"count": 1}]), (Annotated[Inner, "a note"], {"count": 1}, {"count": 1}),
    (Wider, {"name": "a"}, {"name": "a"}), (Wider, {"name": "a", "age": 1}, {"name": "a", "age": 1}), (KeyInputInfo, KEYS, KEYS),
    (tuple, [1, "a"], (1, "a")), (tuple[int, str], [1, "a"], [1, "a"]), (set, [1, 1], {1}), (set[int], [1], [1]),
    (datetime, MOMENT.isoformat(), MOMENT), (date, "2026-01-02", date(2026, 1, 2)),
    (UUID, "0b5c8e2a-93d4-4c1f-8a67-5e2f1d3c4b5a", UUID("0b5c8e2a-93d4-4c1f-8a67-5e2f1d3c4b5a")),
    (Annotated[int, Field(ge=1, le=9)], 9, 9), (Annotated[int, Field(ge=1, le=9)], "9", 9), (Annotated[str, Field(max_length=2)], "ab", "ab"),
    (Positive, "9", 9), (Any, {"a": None}, {"a": None}),
    (dict, wrapped(("a", "b"), ("a", "c")), {"a": "c"}), (dict[str, str], wrapped(("a", "b")), {"a": "b"}),
    (FormData, wrapped(("a", "b"), ("a", 1)), FormData([("a", "b"), ("a", 1)])), (FormData[str, str], wrapped(("a", "b")), FormData([("a", "b")])),
    (Form, wrapped(("name", "x"), ("tags", "a"), ("tags", "b")), {"name": "x", "news": False, "tags": ["a", "b"]}),
    (Form, wrapped(("name", "x"), ("company", "y")), {"name": "x", "news": False, "tags": [], "company": "y"}),
    (Outer, {"inner": {"count": 1, "more": 1}, "more": [1]}, {"inner": {"count": 1, "more": 1}, "more": [1]}),
]  # fmt: skip
REFUSED: list[tuple[Any, Any]] = [
    *((int, value) for value in ("", "x", " 5", "5 ", "5\n", "5.5", "٥", "9" * 16, 5.5, 5.0, True, None, [5], {"a": 5})),
    *((float, value) for value in ("", "x", " 5", "nan", "inf", "1_0", "1e999", True, None, [1.5])),
    (str, 5), (str, None), (str, ["a"]), (bool, "true"), (bool, 1), (int | str, 5.5), (int | float, "5"), (int | None, ""),
    (list, "ab"), (list, {"a": 1}), (list[int], ["1"]), (list[int], [1.5]), (dict, []), (dict[str, float], {"a": "1"}),
    (Literal["a", 2], "b"), (Literal["a", 2], "2"), (Size, "SMALL"), (Size, None),
    (Point, {}), (Point, {"x": "1"}), (Point, {"x": 1, "z": 1}), (Point, [1, 2]), (Address, {"street": "a"}), (Address, {"street": "a", "number": "7"}),
    (Closed, {"opened": "today"}), (Closed, {"opened": MOMENT.isoformat(), "more": 1}),
    (Outer, {}), (Outer, {"inner": {}}), (Outer, {"inner": {"count": "1"}}), (Outer, {"inner": {"count": "1", "more": 1}}),
    (Form, wrapped(("company", "y"))), (Form, wrapped(("name", 1), ("company", "y"))), (Outer, {"inner": {"count": 1}, "note": "long"}), (Wider, {"age": 1}),
    (Annotated[Inner, "a note"], {"count": "x"}), (tuple[int, str], [1]), (tuple[int, str], [1, 2]), (set, [[]]), (set[int], ["a"]),
    (datetime, "now"), (datetime, 5), (date, "2026-02-30"), (UUID, "x"),
    (Annotated[int, Field(ge=1, le=9)], 10), (Annotated[int, Field(ge=1, le=9)], "10"), (Annotated[str, Field(max_length=2)], "abc"),
    (dict, {"__reflex_form_data__": "ab"}), (dict, {"__reflex_form_data__": 1}), (dict, wrapped(([], 1))), (dict, wrapped(("a",))),
    (dict, wrapped((1, "a"))), (dict[str, float], {"__reflex_form_data__": 1.0}), (dict[str, str], wrapped(("a", 1))),
    (dict[str, list[list[str]]], wrapped(("a", "b"))), (FormData, ["a"]), (FormData[str, str], wrapped(("a", 1), ("a", "b"))), (str, wrapped()),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "value", "received"), ACCEPTED)
def test_a_value_of_the_annotated_type_is_accepted_and_handed_over(annotation: Any, value: Any, received: Any) -> None:
    function = taking(annotation)

    table(take=function).check("state.take", {"value": value})

    assert _prepare_event_payload(EventHandler(fn=function), {"value": value}) == {"value": received}


@pytest.mark.parametrize(("annotation", "value"), REFUSED)
def test_a_value_of_another_type_is_refused(annotation: Any, value: Any) -> None:
    with pytest.raises(PayloadRefused, match=r"^payload of tests\.unit\.socket_guard\.tables\.FakeState\.take$"):
        table(take=taking(annotation)).check("state.take", {"value": value})


# Values that Reflex converts have the annotated type in Python; the others stay as in JSON.
CONVERTED: list[Any] = [
    int, float, str, bool, list, dict, list[int], list[float], dict[str, float], dict[str, list[str]], int | None, float | None,
    int | str, Literal["a", 1], Size, Point, Address, tuple, set, datetime | None, Annotated[int, Field(ge=1)],
]  # fmt: skip
TEXTS = st.sampled_from(
    ["", "a", "1", "-1.5", " 1", "small", "2026-01-02", "x", "y", "street", "number", "inner", "count", "name"]
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.just("__reflex_form_data__"), inner, max_size=3),
    max_leaves=6,
)
CHECKED = [(table(take=taking(kind)), TypeAdapter(kind), EventHandler(fn=taking(kind))) for kind in CONVERTED]


@settings(max_examples=1000, deadline=None)
@given(
    st.sampled_from(CHECKED),
    JSON | st.fixed_dictionaries({"x": JSON}) | st.fixed_dictionaries({"street": JSON, "number": JSON}),
)
def test_accepted_arguments_reach_the_handler_with_the_annotated_type(
    checked: tuple[EventTable, TypeAdapter, EventHandler], value: Any
) -> None:
    events, adapter, handler = checked
    try:
        events.check("state.take", {"value": value})
    except PayloadRefused:
        return

    received = _prepare_event_payload(handler, {"value": value})["value"]

    adapter.validate_python(received, strict=True)


def test_unconvertible_values_never_reach_the_handler(caplog: pytest.LogCaptureFixture) -> None:
    @dataclasses.dataclass
    class AtLeastZero:
        number: int

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError

    events = table(take=taking(AtLeastZero))

    events.check("state.take", {"value": {"number": 1}})
    with caplog.at_level(logging.WARNING), pytest.raises(PayloadRefused):
        events.check("state.take", {"value": {"number": -1}})


def test_a_parameter_with_a_default_may_be_missing_and_no_other() -> None:
    def take(self: Any, first: int, second: str = "x", model_config: bool = True) -> None: ...

    events = table(take=take)

    events.check("state.take", {"first": 1})
    events.check("state.take", {"first": 1, "second": "y", "model_config": False})
    for payload in (
        {},
        {"second": "y"},
        {"first": 1, "third": 1},
        {"first": 1, "self": 1},
        {"p0_": 1},
        {"first": 1, "second": None},
    ):
        with pytest.raises(PayloadRefused):
            events.check("state.take", payload)


@pytest.mark.parametrize("payload", [None, [], "x", 1, [["value", 1]]])
def test_a_payload_is_an_object(payload: Any) -> None:
    with pytest.raises(PayloadRefused):
        table(take=taking(int)).check("state.take", payload)


def test_only_bound_events_of_registered_handlers_are_accepted() -> None:
    handlers = {
        "state.bound": registered(taking(int)),
        "state.unbound": registered(taking(int)),
        "state.setvar": registered(taking(int)),
    }
    events = EventTable(lambda: {"state.bound", "state.gone", "state.setvar"}, handlers)

    events.check("state.bound", {"value": 1})
    for name in ("state.unbound", "state.gone", "state.setvar", "state.bound.x", "bound", "", "_x", "state.__init__"):
        with pytest.raises(EventRefused, match=r"^unlisted event") as refused:
            events.check(name, {"value": 1})
        assert not isinstance(refused.value, PayloadRefused)


@pytest.mark.parametrize(
    "value", [[1] * MAX_ITEMS, {str(number): 1 for number in range(MAX_ITEMS)}, [[[1]] * (MAX_ITEMS // 3 + 1)] * 3]
)
def test_a_payload_of_too_many_parts_is_refused(value: Any) -> None:
    with pytest.raises(PayloadRefused, match=r"^payload too large for "):
        table(take=taking(Any)).check("state.take", {"value": value})

    table(take=taking(Any)).check("state.take", {"value": [1] * (MAX_ITEMS - 1)})


def test_a_payload_that_is_too_deep_is_refused() -> None:
    value: Any = 1
    for _ in range(MAX_ITEMS - 1):
        value = [value]

    with pytest.raises(PayloadRefused):
        table(take=taking(list)).check("state.take", {"value": value})


def test_a_reloaded_handler_is_checked_by_its_new_annotations() -> None:
    handlers = {"state.take": registered(taking(int))}
    events = EventTable(lambda: handlers.keys(), handlers)
    events.check("state.take", {"value": 1})

    handlers["state.take"] = registered(taking(bool))

    events.check("state.take", {"value": True})
    with pytest.raises(PayloadRefused):
        events.check("state.take", {"value": 1})


def unannotated(self: Any, value) -> None: ...


def takes_anything(self: Any, *values: int) -> None: ...


def takes_any_name(self: Any, **values: int) -> None: ...


UNCHECKABLE = [
    (unannotated, "value: str"), (takes_anything, "*values"), (takes_any_name, "values"), (taking("Missing"), "'Missing'"),
    (taking("1 +"), "cannot be read"), (taking(Endless), "cannot be checked"), (taking(type("Plain", (), {})), "cannot be checked"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "reason"), UNCHECKABLE)
def test_a_handler_that_cannot_be_checked_is_reported_and_its_event_refused(function: Callable[..., None], reason: str) -> None:
    with pytest.raises(UncheckableEvent):
        payload_adapter(function)
    (problem,) = check_handlers(["state.take"], {"state.take": registered(function)})

    assert problem.startswith("tests.unit.socket_guard.tables.FakeState.take: ")
    assert reason in problem
    with pytest.raises(PayloadRefused):
        table(take=function).check("state.take", {"value": 1})


def test_a_page_that_binds_setvar_is_reported_and_events_of_others_are_not() -> None:
    handlers = {
        "state.setvar": registered(takes_anything),
        "state.other": registered(takes_anything),
        "state.take": registered(taking(int)),
    }

    (problem,) = check_handlers(["state.setvar", "state.take", "gone.take"], handlers)

    assert "setvar" in problem


def test_a_handler_that_reads_a_header_which_is_always_empty_is_reported() -> None:
    def choose_layout(self: Any) -> bool:
        return "Mobile" in self.router.headers.user_agent

    def read_host(self: Any) -> str:
        return self.router.headers.host

    def read_reply(reply: Any) -> str:
        return reply.headers.user_agent

    functions = {"choose": choose_layout, "host": read_host, "reply": read_reply}
    handlers = {f"state.{name}": registered(function) for name, function in functions.items()}

    (problem,) = check_handlers([], handlers)

    assert problem.startswith(
        "tests.unit.socket_guard.tables.FakeState.choose reads self.router.headers.user_agent, which is always"
    )
    assert 'rx.call_script("navigator.userAgent"' in problem


class VisitorState:
    """Stands for a state: a real one would be reported wherever all handlers of this process are checked."""

    router: Any

    def _device(self: Any) -> str:
        return "phone" if "Mobile" in self.router.headers.user_agent else "computer"

    def _language(self) -> str:
        return self.router.headers.accept_language

    computed_vars: ClassVar = {"device": ComputedVar(fget=_device)}


def read_raw(self: Any) -> None:
    headers = self.router.headers.raw_headers
    assert [headers.get(name) for name in ("User-Agent", "host")]


def read_host(self: Any) -> None:
    assert self.router.headers.raw_headers["host"]


def test_computed_vars_helpers_and_raw_headers_are_reported_too() -> None:
    handlers = {
        f"state.{function.__name__}": dataclasses.replace(registered(function), states=(VisitorState,))
        for function in (read_raw, read_host)
    }

    problems = check_handlers([], handlers)

    assert [problem.partition(", ")[0].rpartition("VisitorState.")[2] for problem in problems] == [
        'read_raw reads self.router.headers.raw_headers["user-agent"]',
        "_device reads self.router.headers.user_agent",
        "_language reads self.router.headers.accept_language",
        "device reads self.router.headers.user_agent",
    ]


class NicknameState(rx.State):
    nickname: str = rx.LocalStorage("nobody")
    cookie: str = rx.Cookie("")
    shared: str = rx.LocalStorage("", sync=True)
    rank: int = 0


STORAGE_EVENTS = (State.event_handlers["hydrate_and_load"], UpdateVarsInternalState.event_handlers["update_vars_internal"])
NAME = NicknameState.get_full_name()


@pytest.mark.parametrize("handler", STORAGE_EVENTS, ids=["hydrate", "update"])
def test_browser_storage_sets_the_vars_that_live_there_and_no_others(handler: EventHandler) -> None:
    name = format_event_handler(handler)
    events = EventTable(lambda: {name}, {name: registered(handler.fn)})

    events.check(name, {"vars": {}})
    events.check(name, {"vars": {f"{NAME}.nickname": "a" * MAX_STORED_LENGTH, f"{NAME}.cookie_rx_state_": ""}})
    for values in (
        {f"{NAME}.rank": "1"}, {f"{NAME}.gone": "1"}, {"": "1"}, {".": "1"}, {"nickname": "1"}, {f"{NAME}x.nickname": "1"}, {f"{NAME}.": "1"},
        {f"{NAME}.nickname": 1}, {f"{NAME}.nickname": None}, {f"{NAME}.nickname": ["a"]}, {f"{NAME}.nickname": "a" * (MAX_STORED_LENGTH + 1)},
        {f"{NAME}.nickname": "a", f"{NAME}.rank": "1"}, {"reflex___state____state.is_hydrated": "1"}, {f"{NAME}.nickname.x": "1"},
        wrapped((f"{NAME}.rank", "1")),
    ):  # fmt: skip
        with pytest.raises(PayloadRefused):
            events.check(name, {"vars": values})


def test_another_tab_may_remove_an_entry_that_tabs_share_and_no_other() -> None:
    update, hydrate = map(format_event_handler, (STORAGE_EVENTS[1], STORAGE_EVENTS[0]))
    handlers = {update: registered(STORAGE_EVENTS[1].fn), hydrate: registered(STORAGE_EVENTS[0].fn)}
    events = EventTable(lambda: {update, hydrate}, handlers)

    events.check(update, {"vars": {f"{NAME}.shared": None}})
    for name, var in ((update, "nickname"), (update, "cookie"), (update, "rank"), (hydrate, "shared")):
        with pytest.raises(PayloadRefused):
            events.check(name, {"vars": {f"{NAME}.{var}": None}})

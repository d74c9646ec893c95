"""Frames that a browser may send."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reflex.istate.data import URLData

from site_app.plugins.socket_guard.events import PayloadRefused
from site_app.plugins.socket_guard.frames import MAX_DEPTH, MAX_FRAME_BYTES, FrameRefused, Frames
from tests.unit.socket_guard.tables import table


def report(self: Any, name: str = "", seq: int = 0, texts: list[str] | None = None, details: dict | None = None) -> None: ...


def load(self: Any) -> None: ...


def choose(self: Any, language: str) -> None: ...


EVENTS = table(report=report, load=load, choose=choose)
ROUTER_DATA = {"pathname": "/faq", "asPath": "/faq?a=1", "query": {"a": "1"}}

NO_PATHS = ("", "[", "]x", ".example.net/", "@example.net/", ":8000/", "℀/", " /faq", "faq", "?a=1")


def event(name: Any = "state.report", payload: Any = None, **extra: Any) -> dict[str, Any]:
    return {"name": name, "payload": {} if payload is None else payload, "router_data": ROUTER_DATA, **extra}


def frame(*packet: Any) -> str:
    return "42/_event," + json.dumps(packet)


def connected() -> Frames:
    frames = Frames(EVENTS)
    frames.check("40/_event,")
    return frames


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "text",
    [
        "3",
        "41/_event,",
        frame("ping"),
        frame("event", event()),
        frame("event", event(payload={"name": "quote", "seq": 3})),
        frame("event", {"name": "state.load"}),
        frame("event", event("state.choose", {"language": "th"})),
        frame(
            "event",
            event(
                payload={"name": "สวัสดี 你好 🙂", "texts": ["a"], "details": {"a": [1]}},
                event_actions={"throttle": 100},
                handler=None,
            ),
        ),
        frame("client_error", {"message": "m", "error_type": "e", "substate": "s"}),
    ],
)
def test_frames_of_a_browser_pass(text: str) -> None:
    connected().check(text)


@pytest.mark.parametrize("auth", ["", '{"event":null}', json.dumps({"event": event(), "state_schema": "abc"})])
def test_a_browser_connects_with_or_without_its_first_event(auth: str) -> None:
    Frames(EVENTS).check("40/_event," + auth)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "binary"),
        ("", "packet"),
        ("2", "packet"),
        ("40", "packet"),
        ("40/other,", "packet"),
        ("40/_event,", "second connect"),
        ("42" + json.dumps(["event", event()]), "packet"),
        ('42/_event,7["event",{}]', "json"),
        ('43/_event,7["event"]', "packet"),
        ('451-/_event,["event",{"_placeholder":true,"num":0}]', "packet"),
        ('42/_event,["ping"', "json"),
        ("42/_event,null", "message"),
        (frame("connect", {"REMOTE_ADDR": "1.2.3.4"}), "message"),
        (frame("ping", "x"), "message"),
        (frame("event"), "message"),
        (frame("event", event(), event()), "message"),
        (frame("event", json.dumps(event())), "event"),
        (frame("event", {}), "event"),
        (frame("event", event(None)), "event"),
        (frame("event", event("state.setvar", {"var_name": "seq", "value": 1})), "unlisted event"),
        (frame("event", event(router_data=None)), "router data"),
        (frame("event", event(router_data={"client_ip": "1.2.3.4"})), "router data"),
        (frame("event", event(router_data={"pathname": 1})), "router data"),
        (frame("event", event(router_data={"asPath": {"a": "b"}})), "router data"),
        (frame("event", event(router_data={"query": "a=1"})), "router data"),
        (frame("event", event(router_data={"query": {"a": 1}})), "router data"),
        (frame("event", event(router_data={"hash": "#a"})), "router data"),
        # after "https://www.example.com" none of these is a path of this site
        *((frame("event", event(router_data={"asPath": text})), "router data") for text in NO_PATHS),
        (frame("event", event(router_data={"query": {"a": {"b": "c"}}})), "router data"),
        (frame("event", event(router_data={"query": {"splat": ["th", 1]}})), "router data"),
        (frame("event", event(router_data={"query": {"splat": [["th"]]}})), "router data"),
        (frame("event", event(router_data={"query": {"splat": [""] * 2000}})), "router data"),
        (frame("event", event(router_data={"query": {"a": "b" * 13_000}})), "router data"),
        (frame("event", event(router_data={"asPath": "/" + "字" * 3100})), "router data"),
        (frame("client_error", {"message": 1}), "report"),
        (frame("client_error", {"other": "x"}), "message"),
        (frame("event", event(payload={"name": float("nan")})), "not a number"),
        ('42/_event,["event",{"name":"state.report","payload":{"seq":1e999}}]', "not a number"),
        ('42/_event,["event",{"name":"state.report","payload":{"seq":' + "9" * 17 + "}}]", "number too long"),
        ('42/_event,["event",{"name":"state.report","name":"state.setvar"}]', "key twice"),
        (frame("event", event(payload={"name": "\ud83d"})), "half a character"),
        (frame("event", event(payload={"details": {"a": nested(MAX_DEPTH)}})), "depth"),
        ('42/_event,["event",' + "[" * 30_000 + "]" * 30_000 + "]", "json"),
        (frame("event", event(payload={"name": "x" * MAX_FRAME_BYTES})), "size"),
        (frame("event", {"name": "state.report"})[:-1] + ',"' + "字" * (MAX_FRAME_BYTES // 3) + '"]', "size"),
    ],
)
def test_all_other_frames_are_refused(text: str | None, problem: str) -> None:
    with pytest.raises(FrameRefused, match=f"^{problem}$"):
        connected().check(text)


@pytest.mark.parametrize(
    "text",
    [
        frame("event", event(payload=[])),
        frame("event", event(payload={"name": "x", "other": 1})),
        frame("event", event(payload={"name": 1})),
        frame("event", event("state.choose")),
        frame("event", {"name": "state.report", "payload": None}),
        frame("event", event(payload={"seq": True})),
        frame("event", event(payload={"seq": 1.0})),
        frame("event", event(payload={"texts": ["a", 1]})),
        frame("event", event(payload={"details": []})),
        frame("event", event("state.load", {"self": 1})),
    ],
)
def test_a_bound_event_with_a_wrong_payload_is_refused_by_its_name(text: str) -> None:
    with pytest.raises(PayloadRefused, match=r"^payload of tests\.unit\.socket_guard\.tables\.FakeState\.\w+$"):
        connected().check(text)


@pytest.mark.parametrize(
    "auth", ["[]", '{"environ":{}}', '{"state_schema":[]}', '{"event":{"name":"state.setvar"}}', "{", '{"event":1}']
)
def test_a_connection_with_authentication_data_is_refused(auth: str) -> None:
    with pytest.raises(FrameRefused):
        Frames(EVENTS).check("40/_event," + auth)


def test_no_event_comes_before_the_connection() -> None:
    with pytest.raises(FrameRefused, match="not connected"):
        Frames(EVENTS).check(frame("event", event()))


def test_a_path_in_parts_passes() -> None:
    address = {"pathname": "/th/nowhere", "asPath": "/th/nowhere?a=1", "query": {"splat": ["th", "nowhere"], "a": "1"}}
    connected().check(frame("event", event(router_data=address)))


@pytest.mark.parametrize(
    ("path", "text", "fragment"),
    [("/hours", "b" * 4000, ""), ("/" + "a" * 1000, "b" * 4000, ""), ("/hours", "ก" * 440, ""), ("/hours", "b", "c" * 10_000)],
)
def test_an_address_as_long_as_the_server_takes_one_passes(path: str, text: str, fragment: str) -> None:
    address = {"pathname": path, "asPath": f"{path}?q={quote(text)}#{fragment}", "query": {"q": text}}
    Frames(EVENTS).check("40/_event," + json.dumps({"event": event(router_data=address)}))


def test_brackets_in_a_text_do_not_count_as_nesting() -> None:
    connected().check(frame("event", event(payload={"name": "[" * 5000})))


@settings(deadline=None)  # the first import reads Reflex's settings
@given(st.text(alphabet=st.sampled_from("/[]@:?#.%\\ \t\n\x00a℀字&=;"), max_size=12))
def test_a_path_that_passes_is_one_of_our_own_host(path: str) -> None:
    try:
        connected().check(frame("event", event(router_data={"asPath": path})))
    except FrameRefused:
        return

    address = URLData.from_router_data({"headers": {"origin": "https://www.example.com"}, "asPath": path})

    assert address.origin == "https://www.example.com"

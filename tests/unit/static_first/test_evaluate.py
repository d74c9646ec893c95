"""Calls that handlers send as text run in the browser without eval."""

import json
import subprocess
from typing import Any

import pytest
import reflex as rx
from reflex_base.event import Event, back

from site_app.plugins.static_first.site import BROWSER_FOLDER

# Prints the calls that the code makes, its value, and its error.
PROGRAM = """
const { evaluate } = await import(process.argv[1]);
const calls = [];
const spy = (name) => (...values) => (calls.push([name, ...values]), name);
const scope = {
  window: { alert: spy("alert"), history: { back: spy("back") } },
  console: { log: spy("log") },
  navigator: { clipboard: { writeText: spy("copy") } },
  document: { title: "A title", getElementById: (id) => (id === "here" ? { scrollIntoView: spy("scroll") } : null) },
  refs: {
    __toast: Object.assign(spy("toast"), { success: spy("success"), dismiss: spy("dismiss"), error: (text, { onDismiss }) => onDismiss({ id: "x", onDismiss }) }),
    _client_state_setShown: spy("set"), _client_state_shown: 3,
  },
  addEvents: spy("events"), ReflexEvent: (name, payload) => ({ name, payload }),
};
const run = (code, value) => {
  try {
    const result = evaluate(code, scope);
    return { value: typeof result === "function" ? result(value) : result };
  } catch (error) {
    return { error: error.message };
  }
};
const { code, value } = JSON.parse(process.argv[2]);
const pushed = () => (scope.refs._client_state_hidden === undefined ? {} : { pushed: scope.refs._client_state_hidden });
console.log(JSON.stringify({ ...run(code, value), calls, ...pushed() }));
"""


def run(code: str, value: Any = None) -> dict[str, Any]:
    arguments = [(BROWSER_FOLDER / "evaluate.js").as_uri(), json.dumps({"code": code, "value": value})]
    process = subprocess.run(
        ["node", "--input-type=module", "-e", PROGRAM, *arguments], capture_output=True, text=True, check=True
    )
    return json.loads(process.stdout)


def code_of(event: Any) -> str:
    (sent,) = Event.from_event_type(event)
    return sent.payload["function"]


HARD_TEXT = 'He said "yes" or \\ `no` ${x}\n</script> é 泰 it\'s'


@pytest.mark.parametrize(
    ("event", "call"),
    [
        (rx.window_alert("Done"), ["alert", "Done"]),
        (rx.window_alert(HARD_TEXT), ["alert", HARD_TEXT]),
        (rx.console_log("Done"), ["log", "Done"]),
        (rx.set_clipboard("copied"), ["copy", "copied"]),
        (rx.scroll_to("here"), ["scroll", True]),
        (rx.scroll_to("here", align_to_top=False), ["scroll", False]),
        (back(), ["back"]),
        (rx.toast("Saved"), ["toast", "Saved"]),
        (
            rx.toast.success("Saved", description="yes", duration=-3.5),
            ["success", "Saved", {"description": "yes", "duration": -3.5}],
        ),
        (rx.toast.dismiss("x"), ["dismiss", "x"]),
    ],
)
def test_browser_events_of_reflex_call_their_functions(event: Any, call: list[Any]) -> None:
    assert run(code_of(event))["calls"] == [call]


_shown = rx._x.client_state("shown", default=1)
_hidden = rx._x.client_state("hidden", default=1)


def test_a_value_for_client_state_reaches_the_elements_that_show_it() -> None:
    assert run(code_of(_shown.push(42))) == {"value": "set", "calls": [["set", 42]]}


@pytest.mark.parametrize("value", [42, "text", [1, {"a": None}]])
def test_a_value_for_client_state_waits_until_an_element_shows_it(value: Any) -> None:
    assert run(code_of(_hidden.push(value))) == {"calls": [], "pushed": value}


def test_the_value_of_client_state_is_retrieved() -> None:
    assert run(code_of(_shown.retrieve())) == {"calls": [], "value": 3}


class DismissedState(rx.State):
    @rx.event
    def closed(self, toast: dict) -> None: ...


def test_an_event_of_a_toast_gets_its_parts_without_functions() -> None:
    (_, [event]) = run(code_of(rx.toast.error("Bad", on_dismiss=DismissedState.closed)))["calls"][0]

    assert event["payload"] == {"toast": {"id": "x"}}


@pytest.mark.parametrize("event", [rx.noop(), rx.scroll_to("nowhere")])
def test_events_without_effect_call_nothing(event: Any) -> None:
    outcome = run(code_of(event))

    assert outcome["calls"] == []
    assert "error" not in outcome


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("document.title", "A title"),
        (" document['title']; ", "A title"),
        ("document?.nothing?.title", None),
        ("'it\\'s \"so\"'", 'it\'s "so"'),
        ("[1, -2.5, true, null, {a: 'b', \"c\": [1e2]}]", [1, -2.5, True, None, {"a": "b", "c": [100]}]),
        ('() => "text"', "text"),
        ("Math.max(1, 3)", 3),
    ],
)
def test_a_script_of_one_expression_has_its_value(code: str, value: Any) -> None:
    assert run(code) == {"calls": []} | ({"value": value} if value is not None else {})


def test_a_callback_sends_its_event() -> None:
    code = '(_result) => {addEvents([ReflexEvent("state.received", {value:_result})])}'

    assert run(code, 7)["calls"] == [["events", [{"name": "state.received", "payload": {"value": 7}}]]]


@pytest.mark.parametrize(
    "code",
    [
        "a = 1",
        "refs['a'] = 1",
        "() => { a = 1; }",
        "() => { document['title'] = 1; }",
        "() => { let a = 1; return a }",
        "1 + 1",
        "alert(1); alert(2)",
        "function f() {}",
        "`text`",
        "f(",
        r"f('\x41')",
        "",
    ],
)
def test_code_other_than_a_call_is_refused_with_advice(code: str) -> None:
    outcome = run(code)

    assert code in outcome["error"]
    assert "assets/" in outcome["error"]


def test_an_undefined_name_is_an_error() -> None:
    assert run("myFunction(1)")["error"] == "myFunction is not defined"

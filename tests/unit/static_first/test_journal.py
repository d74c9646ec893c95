"""Presses before React runs: which are recorded, and which the browser handles itself."""

import json
import subprocess

import pytest

from site_app.plugins.static_first.site import BROWSER_FOLDER

# Presses an element of this kind while the page records, and prints the types of the recorded events.
PROGRAM = """
const { recordEvents } = await import(process.argv[1]);
const { kind, ...keys } = JSON.parse(process.argv[2]);
const listeners = {};
globalThis.window = {};
globalThis.document = { querySelectorAll: (selector) => (selector === "[data-react]" ? [{ dataset: { react: "click" } }] : []) };
globalThis.addEventListener = (type, listener) => (listeners[type] ??= []).push(listener);
globalThis.removeEventListener = () => {};
const target = { setAttribute() {}, removeAttribute() {} };
target.closest = (selector) => (selector.includes("[data-react") || selector.includes(kind) ? target : null);
class Press {
  constructor(type, values) {
    Object.assign(this, { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }, values, { type, target });
  }
  preventDefault() {}
  stopImmediatePropagation() {}
}
const stop = recordEvents(() => {});
const press = new Press("click", keys);
listeners.click.forEach((listener) => listener(press));
console.log(JSON.stringify(stop().map(({ type }) => type)));
"""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Returns the address of the module, with the path of the one that it imports."""
    file = tmp_path_factory.mktemp("browser") / "journal.mjs"
    press = (BROWSER_FOLDER / "press.js").as_uri()
    file.write_text((BROWSER_FOLDER / "journal.js").read_text().replace("$/static_first/press", press))
    return file.as_uri()


@pytest.mark.parametrize(
    ("kind", "key", "recorded"),
    [
        ("button", None, ["click"]),
        ("button", "shiftKey", ["click"]),
        ("button", "ctrlKey", ["click"]),
        ("button", "altKey", ["click"]),
        ("a[href]", None, ["click"]),
        ("a[href]", "ctrlKey", []),  # a new tab
        ("[type=submit]", "shiftKey", []),  # the answer in a new window
    ],
)
def test_a_press_with_a_key_is_recorded_unless_the_browser_opens_something(
    journal: str, kind: str, key: str | None, recorded: list[str]
) -> None:
    press = json.dumps({"kind": kind} | ({key: True} if key else {}))
    process = subprocess.run(
        ["node", "--input-type=module", "-e", PROGRAM, journal, press], capture_output=True, text=True, check=True
    )

    assert json.loads(process.stdout) == recorded

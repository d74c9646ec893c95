"""The office's keyboard shortcuts, run by node with a page of two links."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "site_app/provider/office/office.js"
PAGE_WITHOUT_STORAGE = """
Object.defineProperty(globalThis, "localStorage", { get: () => { throw new Error("forbidden"); } });
const listeners = {};
const rowOf = (name) => ({ name, focus() { document.activeElement = this; } });
const rows = [rowOf("first"), rowOf("second")];
const box = { addEventListener: (type, listener) => (listeners[type] = listener) };
const keysLine = { querySelector: () => box };
globalThis.document = {
  querySelectorAll: (selector) => (selector === ".list a" ? rows : []),
  querySelector: (selector) => (selector === ".keys" ? keysLine : null),
  addEventListener: (type, listener) => (listeners[type] = listener),
};
globalThis.matchMedia = () => ({ matches: false });
globalThis.addEventListener = () => {};
await import(process.argv[1]);
const press = (key) => {
  listeners.keydown({ key, target: { closest: () => null }, preventDefault() {} });
  console.log(document.activeElement.name);
};
press("j");
box.checked = false;
listeners.change();
press("j");
box.checked = true;
listeners.change();
press("j");
"""


def test_the_keys_work_and_can_be_switched_off_where_the_browser_forbids_storage() -> None:
    node = [str(Path(sys.executable).with_name("node")), "--input-type=module", "--eval", PAGE_WITHOUT_STORAGE, SCRIPT.as_uri()]
    process = subprocess.run(node, capture_output=True, text=True, check=True)

    assert process.stdout.split() == ["first", "first", "second"]

"""The script of the plain page of times, run by node."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "site_app/times_page/times.js"
PAGE = """
const [source, storage, value] = process.argv.slice(1);
const field = { value };
const form = { querySelector: () => ({}), querySelectorAll: () => [], addEventListener: () => {} };
globalThis.document = {
  currentScript: { parentElement: form },
  querySelector: (selector) => (selector === "form.times [name=attribution]" && storage !== "no field" ? field : null),
};
if (storage === "forbidden") {
  Object.defineProperty(globalThis, "sessionStorage", { get: () => { throw new Error("forbidden"); } });
} else {
  globalThis.sessionStorage = storage ? { attribution: storage } : {};
}
globalThis.addEventListener = (type, listener) => (globalThis[`on${type}`] = listener);
new Function(source)();
globalThis.onpageshow();
process.stdout.write(field.value);
"""


@pytest.mark.parametrize(
    ("storage", "rendered", "sent"),
    [
        ("ref=A2C3D4E5", "", "ref=A2C3D4E5"),
        ("utm_source=tab", "utm_source=address", "utm_source=address"),
        ("", "", ""),
        ("forbidden", "", ""),
        ("no field", "", ""),
    ],
)
def test_the_form_of_times_is_sent_with_the_attribution_of_the_tab(storage: str, rendered: str, sent: str) -> None:
    node = [str(Path(sys.executable).with_name("node")), "--eval", PAGE, SCRIPT.read_text(), storage, rendered]

    process = subprocess.run(node, capture_output=True, text=True, check=True)

    assert process.stdout == sent

"""The script of the text editor, run by node with a form of stubs."""

import subprocess
import sys
from pathlib import Path

from site_app.provider.office.content.pictures import with_picture

SCRIPT = Path(__file__).parents[3] / "site_app/provider/office/editor.js"
PAGE_WITH_A_CURSOR = """
const [script, value, before] = process.argv.slice(1);
const element = () => ({ append() {}, setAttribute() {}, addEventListener() {} });
const listeners = {};
const text = {
  value,
  selectionStart: value.indexOf(before) + before.length,
  addEventListener: (type, listener) => (listeners[type] = listener),
};
const inForm = { "textarea[name=text]": text };
const form = { ...element(), elements: { place: {} }, querySelector: (selector) => inForm[selector] ?? element() };
globalThis.document = {
  querySelector: (selector) => ({ "[data-editor]": form, "[data-bar]": element() })[selector] ?? null,
  createElement: element,
};
globalThis.addEventListener = () => {};
await import(script);
listeners.blur();
console.log(form.elements.place.value);
"""


def _place(text: str, *, before: str) -> str:
    """Returns the place that the form sends if the cursor is behind `before`."""
    command = [str(Path(sys.executable).with_name("node")), "--input-type=module", "--eval", PAGE_WITH_A_CURSOR]
    process = subprocess.run([*command, SCRIPT.as_uri(), text, before], capture_output=True, text=True, check=True)
    return process.stdout.strip()


def test_a_picture_goes_behind_the_paragraph_of_the_cursor_also_after_emoji() -> None:
    text = "Ship it 🎉🎉🎉🎉\n\nSecond part.\n\nThird.\n"

    placed, is_placed = with_picture(f"---\ntitle: x\n---\n{text}", "a.png", "A wall", _place(text, before="🎉🎉🎉🎉"))

    assert is_placed
    assert placed == "---\ntitle: x\n---\nShip it 🎉🎉🎉🎉\n\n![A wall](a.png)\n\nSecond part.\n\nThird.\n"

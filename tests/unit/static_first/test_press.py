"""A press that the browser answers by a tab, a window, a download or a menu is left to it."""

import json
import subprocess

import pytest

from site_app.plugins.static_first.site import BROWSER_FOLDER

PROGRAM = """
const { isForBrowser } = await import(process.argv[1]);
const plain = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
console.log(Boolean(isForBrowser({ ...plain, ...JSON.parse(process.argv[2]) })));
"""


@pytest.mark.parametrize(
    ("event", "is_left"),
    [
        ({}, False),
        ({"button": 1}, True),
        ({"button": 2}, True),
        ({"ctrlKey": True}, True),
        ({"metaKey": True}, True),
        ({"shiftKey": True}, True),
        ({"altKey": True}, True),  # Chromium downloads
    ],
)
def test_a_press_with_another_button_or_key_is_left_to_the_browser(event: dict[str, object], is_left: bool) -> None:
    arguments = [(BROWSER_FOLDER / "press.js").as_uri(), json.dumps(event)]
    process = subprocess.run(
        ["node", "--input-type=module", "-e", PROGRAM, *arguments], capture_output=True, text=True, check=True
    )

    assert process.stdout.strip() == str(is_left).lower()


def test_every_module_asks_the_same_question() -> None:
    components = BROWSER_FOLDER.parents[3] / "components"
    modules = [*BROWSER_FOLDER.glob("*.js"), *components.rglob("*.js"), *components.rglob("*.jsx")]

    assert [module.name for module in modules if "shiftKey" in module.read_text()] == ["press.js"]

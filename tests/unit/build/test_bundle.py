"""What the build edits in Reflex's entry is there to be edited, and is edited once."""

import re
import subprocess
from pathlib import Path

import pytest
import reflex_base

from site_app.build.bundle import early_router
from site_app.build.edit import TemplateHasChanged

NODE = Path(__file__).parents[3] / ".venv" / "bin" / "node"
THEIRS = Path(reflex_base.__file__).parent / ".templates/web/app/entry.client.js"


def test_the_router_is_made_before_react_starts() -> None:
    edited = early_router(THEIRS.read_text())

    assert edited.index("HydratedRouter({})") < edited.index("hydrateRoot(document")
    assert early_router(edited) == edited


@pytest.mark.parametrize("first", ["throw Promise.resolve()", "throw Promise.reject(1)", "throw new TypeError()"])
def test_react_starts_whatever_the_router_says_before_it(first: str) -> None:
    """The first call waits for data, as in the browser; it may fail as well, and React has to start and tell."""
    stubs = (
        "let calls = 0; const said = [], document = {}, createElement = (one) => one.name, startTransition = (run) => run();"
        f"const HydratedRouter = () => {{ said.push('router'); if (!calls++) {first}; throw new TypeError() }};"
        "const hydrateRoot = (_, what) => console.log(said.length, what);"
    )
    edited = re.sub(r"^import .*$", "", early_router(THEIRS.read_text()), flags=re.MULTILINE)

    done = subprocess.run([NODE, "-e", stubs + edited], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["1" if "reject" in first else "2", "HydratedRouter"]


def test_another_entry_is_not_taken_for_edited() -> None:
    with pytest.raises(TemplateHasChanged):
        early_router("hydrateRoot(document);")

"""Our browser modules fit the files that Reflex generates."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from site_app.layout.static_site import static_site
from site_app.plugins.static_first.site import browser_files, remove_namesakes
from tests.support.site_server import ROOT, build

COMPILED = ROOT / ".web"
# Variables that utils/state.js may read although they are missing: for uploads, and for a page inside another page.
_NOT_HERE = {"UPLOAD", "MOUNT_TARGET"}
NodeResults = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our modules as the build lays them out, beside the packages that it installed."""
    build("http://localhost:3000")
    root = tmp_path_factory.mktemp("folder")
    for path, content in browser_files(static_site(), {}):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    (root / "package.json").write_text('{"type": "module"}')
    (root / "node_modules").symlink_to((COMPILED / "node_modules").resolve())
    return root


@pytest.fixture(scope="module")
def node_results(folder: Path) -> NodeResults:
    """Returns the results that one node process collects from all modules."""
    return in_node(folder)


def in_node(folder: Path) -> NodeResults:
    node = ROOT / ".venv" / "bin" / "node"
    script = Path(__file__).with_name("in_node.mjs")
    process = subprocess.run([str(node), str(script), str(folder)], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def test_the_environment_has_the_variables_of_the_socket(node_results: NodeResults) -> None:
    variables = set(re.findall(r"\benv\.([A-Z_]+)", (COMPILED / "utils/state.js").read_text()))

    assert variables - _NOT_HERE == set(node_results["environments"]["beside"])


def test_api_and_socket_are_on_the_pages_host_or_the_exports_host(node_results: NodeResults) -> None:
    environments = node_results["environments"]

    assert (environments["beside"]["PING"], environments["beside"]["EVENT"]) == (
        "https://www.example.com/ping",
        "wss://www.example.com/_event",
    )
    assert (environments["elsewhere"]["PING"], environments["elsewhere"]["EVENT"]) == (
        "https://api.example.com/ping",
        "wss://api.example.com/_event",
    )
    assert environments["built"]["EVENT"] == "ws://localhost/_event"
    assert {value["TRANSPORT"] for value in environments.values()} == {"websocket"}


def test_a_page_has_the_english_layout_until_that_of_its_language_is_loaded(
    node_results: NodeResults,
) -> None:
    languages = {path: re.findall(r'lang="(\w+)"', html) for path, html in node_results["layouts"].items()}

    assert languages == {"before": ["en"], "th": ["th"], "home": ["th"], "en": ["en"], "cn": ["en"], "lookalike": ["en"]}


@pytest.mark.parametrize("language", ["", "th", "cn"])
def test_a_page_loads_only_the_layout_of_its_language(folder: Path, language: str) -> None:
    prefix = f"_{language}_." if language else ""
    brought = _loaded_files(COMPILED / "build/client/assets", f"{prefix}_index-*.js")

    assert [name for name in brought if name.startswith("page_layout_")] == ([f"page_layout_{language}"] if language else [])


def _loaded_files(assets: Path, pattern: str) -> list[str]:
    """Returns the files that load with a page: its module and everything it imports, without hashes."""
    (page,) = (file for file in assets.glob(pattern))
    reached, ahead = set[str](), [page.name]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += re.findall(r'(?:from|import) ?"\./([^"]+\.js)"', (assets / name).read_text())
    return sorted(re.sub(r"-[\w-]{8}\.js$", "", name) for name in reached)


@pytest.mark.parametrize(("now", "before"), [("menu.jsx", "menu.js"), ("menu.js", "menu.jsx")])
def test_a_renamed_module_leaves_no_namesake_of_an_earlier_build(tmp_path: Path, now: str, before: str) -> None:
    sources, web = tmp_path / "components", tmp_path / ".web"
    for file in (sources / now, web / "components" / now, web / "components" / before, web / "components/theirs.js"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()

    remove_namesakes(sources, web)

    assert sorted(file.name for file in (web / "components").iterdir()) == sorted([now, "theirs.js"])

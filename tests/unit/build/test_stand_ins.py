"""What stands in for modules of packages in the browser's build has what their importers ask for, and does what they do here."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from site_app.build.browser_files import STAND_INS, browser_files
from site_app.build.document import EXCHANGED
from tests.browser.server import ROOT, build

COMPILED = ROOT / ".web"
# What utils/state.js may ask of its environment in vain: where files are sent, which only uploads do, and a page inside another page.
_NOT_HERE = {"UPLOAD", "MOUNT_TARGET"}
Seen = dict[str, Any]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our modules as the build lays them out, beside the packages that it installed."""
    build("http://localhost:3000")
    made = tmp_path_factory.mktemp("room")
    for path, content in browser_files():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_bytes(content.encode() if isinstance(content, str) else content)
    (made / "package.json").write_text('{"type": "module"}')
    (made / "node_modules").symlink_to((COMPILED / "node_modules").resolve())
    return made


@pytest.fixture(scope="module")
def seen(room: Path) -> Seen:
    """What one node process saw of all of them."""
    return in_node(room)


def in_node(room: Path) -> Seen:
    node = ROOT / ".venv" / "bin" / "node"
    script = Path(__file__).with_name("in_node.mjs")
    arguments = [str(room), str(COMPILED.resolve()), json.dumps(EXCHANGED)]
    done = subprocess.run([str(node), str(script), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_name_that_is_imported_is_there(seen: Seen) -> None:
    assert seen["missing"]["missing"] == []


def test_every_stand_in_of_a_package_is_still_asked_for(seen: Seen) -> None:
    assert set(seen["missing"]["used"]) == set(STAND_INS) - {"stock_head.js", "stand_ins.js"}


def test_a_name_that_an_upgrade_asks_for_is_told_with_its_importer(room: Path, tmp_path: Path) -> None:
    poorer = tmp_path / "poorer"
    shutil.copytree(room, poorer, symlinks=True)
    file = poorer / "build_parts" / "fog_of_war.js"
    file.write_text(file.read_text().replace("useFogOFWarDiscovery", "useSomethingElse"))

    told = in_node(poorer)["missing"]["missing"]

    assert told == [
        "fog_of_war.js lacks useFogOFWarDiscovery, which /node_modules/react-router/dist/production/index.js imports"
    ]


def test_the_environment_has_what_the_socket_asks_of_it(seen: Seen) -> None:
    asked = set(re.findall(r"\benv\.([A-Z_]+)", (COMPILED / "utils/state.js").read_text()))

    assert asked - _NOT_HERE == set(seen["environments"]["beside"])


def test_api_and_socket_are_beside_the_page_or_where_its_export_says(seen: Seen) -> None:
    found = seen["environments"]

    assert (found["beside"]["PING"], found["beside"]["EVENT"]) == (
        "https://www.example.com/ping",
        "wss://www.example.com/_event",
    )
    assert (found["elsewhere"]["PING"], found["elsewhere"]["EVENT"]) == (
        "https://api.example.com/ping",
        "wss://api.example.com/_event",
    )
    assert found["built"]["EVENT"] == "ws://localhost/_event"
    assert {one["TRANSPORT"] for one in found.values()} == {"websocket"}


def test_routes_are_discovered_as_by_the_real_functions_when_all_are_known(seen: Seen) -> None:
    found = seen["fogOfWar"]

    assert found["enabled"] == [False, False]
    assert found["patch"] == ["undefined", "undefined"]
    assert found["manifest"] == {"routes": {"root": {}}}


def test_a_router_is_left_as_it_is(seen: Seen) -> None:
    assert seen["instrumentation"] == {"same": True, "updates": {}, "receiver": "undefined"}


def test_two_objects_become_one_as_by_the_real_mergician(seen: Seen) -> None:
    assert seen["merging"]["own"] == seen["merging"]["real"]
    assert seen["merging"]["untouched"] == '{"a":{"b":1}}'


def test_a_navigation_loads_the_modules_that_are_wanted_and_no_data(seen: Seen) -> None:
    found = seen["singleFetch"]

    assert list(found["got"]) == ["page"]
    assert found["decoded"] == {"value": {"loaderData": {}}}


@pytest.mark.parametrize(
    ("where", "what", "file"),
    [
        ("singleFetch", "posted", "single_fetch.js"),
        ("singleFetch", "url", "single_fetch.js"),
        ("refusals", "upload", "no_uploads.js"),
        ("refusals", "get", "no_cookies.js"),
        ("refusals", "set", "no_cookies.js"),
        ("refusals", "remove", "no_cookies.js"),
    ],
)
def test_what_is_left_out_says_where_it_was_left_out(seen: Seen, where: str, what: str, file: str) -> None:
    assert seen[where][what].endswith(f"see site_app/build/{file}")


def test_elements_are_reacts_and_the_socket_has_one_transport(seen: Seen) -> None:
    assert seen["elements"] == {"jsx": True, "transports": ["websocket"], "websocket": True}


def test_modules_are_exchanged_for_the_browser_alone(seen: Seen) -> None:
    found = seen["exchangedModules"]

    assert (found["browser"], found["windows"]) == ("single_fetch.js", "single_fetch.js")
    assert (found["server"], found["others"], found["entry"]) == ("", "", "")
    assert (found["environments"], found["apply"]) == ([True, False], "build")


def test_a_page_is_in_the_frame_of_its_language_once_that_was_brought_and_in_the_english_one_until_then(seen: Seen) -> None:
    found = {path: re.findall(r'lang="(\w+)"', shown) for path, shown in seen["frames"].items()}

    assert found == {"before": ["en"], "th": ["th"], "home": ["th"], "en": ["en"], "cn": ["en"], "lookalike": ["en"]}


@pytest.mark.parametrize("language", ["", "th", "cn"])
def test_a_page_brings_the_frame_of_its_own_language_and_of_no_other(room: Path, language: str) -> None:
    prefix = f"_{language}_." if language else ""
    brought = _brought(COMPILED / "build/client/assets", f"{prefix}_index-*.js")

    assert [name for name in brought if name.startswith("frame_")] == ([f"frame_{language}"] if language else [])


def _brought(assets: Path, pattern: str) -> list[str]:
    """What loads with a page: its module and all that is imported from there on, without hashes."""
    (page,) = (file for file in assets.glob(pattern))
    reached, ahead = set[str](), [page.name]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += re.findall(r'(?:from|import) ?"\./([^"]+\.js)"', (assets / name).read_text())
    return sorted(re.sub(r"-[\w-]{8}\.js$", "", name) for name in reached)

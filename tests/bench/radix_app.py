"""The same words as a default Reflex app shows them, built and served as people do."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

from tests.bench.part import NotRun
from tests.bench.programs import CACHE, environment
from tests.bench.stage import CLIENT, Process
from tests.browser.server import free_port

SOURCE = Path(__file__).with_name("radix")
HOME = CACHE / "radix"
MARK = HOME / "built-from.json"
_BLOCKS = frozenset(("h1", "h2", "h3", "h4", "p", "li", "a", "button", "summary", "dt", "dd", "blockquote", "figcaption"))
_DROPPED = frozenset(("script", "style", "svg", "template", "dialog"))


class _Words(HTMLParser):
    """The texts of a page in their order, each with the kind of its element."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str, str]] = []
        self._kind, self._text, self._address, self._dropped = "p", "", "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._dropped += tag in _DROPPED
        if tag in _BLOCKS:
            self._end()
            self._kind, self._address = tag, dict(attrs).get("href") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._end()
        self._dropped -= tag in _DROPPED and self._dropped > 0

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self._text += data

    def _end(self) -> None:
        if text := " ".join(self._text.split()):
            self.blocks.append((self._kind, text, self._address))
        self._kind, self._text, self._address = "p", "", ""


def words(html: str) -> dict[str, object]:
    """What the app is given: every text of the page, and the titles of its dialogs."""
    reader = _Words()
    reader.feed(html[html.index("<body") :])
    title, description = (re.search(pattern, html) for pattern in (r"<title>([^<]*)", r'name="description" content="([^"]*)'))
    return {
        "title": title[1] if title else "",
        "description": description[1] if description else "",
        "dialogs": ["Get a free quote", "Send a message", "Book a call"],
        "blocks": reader.blocks,
    }


def build_radix(page: str = "/") -> Path:
    """Build the app with the words of one page; returns the folder of its files. What is built from the same words stays."""
    said = json.dumps(words((CLIENT / page.lstrip("/") / "index.html").read_text()), ensure_ascii=False)
    client = HOME / ".web/build/client"
    if client.is_dir() and MARK.exists() and MARK.read_text() == said:
        return client
    shutil.copytree(SOURCE, HOME, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (HOME / "words.json").write_text(said)
    done = subprocess.run(
        ["reflex", "export", "--no-zip", "--frontend-only"], cwd=HOME, env=_own(), capture_output=True, text=True, timeout=600
    )
    if done.returncode or not (client / "index.html").exists():
        raise NotRun(f"the default Reflex app cannot be built here: {(done.stdout + done.stderr)[-600:]}")
    MARK.write_text(said)
    return client


def reflex_server(room: Path) -> Process:
    """Reflex's own production server, as `reflex run --env prod` starts it; it builds first, and mounts what it has built.

    Whoever puts other files there has the app built anew next time.
    """
    MARK.unlink(missing_ok=True)
    port = free_port()
    command = ["reflex", "run", "--env", "prod", "--single-port", "--backend-port", str(port)]
    return Process(command, port=port, cwd=HOME, log=room / "reflex.log", patience=300, variables=_own())


def _own() -> dict[str, str]:
    registry = subprocess.run(["npm", "config", "get", "registry"], env=environment(), capture_output=True, text=True).stdout
    return environment(
        REFLEX_USE_NPM="true",
        REFLEX_USE_GRANIAN="true",
        REFLEX_TELEMETRY_ENABLED="false",
        REFLEX_CHECK_LATEST_VERSION="false",
        NPM_CONFIG_REGISTRY=registry.strip(),
        NPM_CONFIG_FETCH_RETRIES="3",
    )

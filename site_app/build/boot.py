"""The boot script: React Router's own start, from one file, when the page is idle or touched."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Boot:
    """The script's address, the modules that every page needs, and each page's own by its path."""

    url: str
    core: list[str]
    routes: dict[str, dict[str, Any]]

    def tag(self, path: str) -> str:
        """What one page says of the script; the script that waits for the first paint fetches it."""
        route = self.routes[path]
        modules = " ".join([*(each for each in route["imports"] if each not in self.core), route["module"]])
        return (
            f'<script type="text/plain" data-boot data-route="{route["id"]}" '
            f'data-modules="{modules}" data-src="{self.url}"></script>'
        )


def write_boot(static: Path, *, when: str, sheet: str) -> Boot:
    """Fill in the script from the build's manifest and write it beside the other hashed files."""
    manifest_file = next((static / "assets").glob("manifest-*.js"))
    manifest = json.loads(manifest_file.read_text().partition("=")[2].rstrip("; \n"))
    entry, root = manifest["entry"], manifest["routes"]["root"]
    core = list(dict.fromkeys([*root["imports"], *entry["imports"]]))
    values = {
        "FUTURE": {"unstable_optimizeDeps": True},
        "CORE": core,
        "MANIFEST": manifest["url"],
        "ROOT": root["module"],
        "ENTRY": entry["module"],
        "WHEN": when,
        "SHEET": sheet,
    }
    face, start = (Path(__file__).with_name(name).read_text() for name in ("face.js", "boot.js"))
    script = compact(face) + "\n" + _filled(start, values)  # a page that began in another language may go on in English
    url = f"/assets/boot-{hashlib.sha256(script.encode()).hexdigest()[:8]}.js"
    (static / url.lstrip("/")).write_text(script)
    routes = {"/" + route.get("path", ""): route for route in manifest["routes"].values() if route["id"] != "root"}
    return Boot(url, core, routes)


def compact(script: str) -> str:
    """A script of ours without its comments and indents."""
    without_comments = re.sub(r"(^|[;{},]\s)\s*// .*$", r"\1", script, flags=re.MULTILINE)
    return re.sub(r"^\s+|[ \t]+$", "", without_comments, flags=re.MULTILINE).strip()


def tight(script: str) -> str:
    """The same without the spaces around its signs; for scripts without patterns and templates."""
    return re.sub(r"""("[^"]*")|\s*([=&|(){}:,;?<>!]+)\s*""", r"\1\2", compact(script))


def _filled(script: str, values: dict[str, Any]) -> str:
    script = compact(script)
    for name, value in values.items():
        if not re.search(rf"\b{name}\b", script):
            raise ValueError(f"boot.js does not use {name}")
        written = json.dumps(value)
        script = re.sub(rf"\b{name}\b", written.replace("\\", r"\\"), script)
    return script

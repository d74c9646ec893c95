"""The one script of a page: what plain script does for a reader, and React Router's own start for when the visitor means to do something."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_app.static_first.browser_files import built_values, compiled
from site_app.static_first.node import run


@dataclass(frozen=True)
class Boot:
    """The script's address, the modules that every page needs, and each page's own by its path."""

    url: str
    core: list[str]
    routes: dict[str, dict[str, Any]]

    def tag(self, path: str) -> str:
        """What one page says of the script."""
        route = self.routes[path]
        modules = " ".join([*(each for each in route["imports"] if each not in self.core), route["module"]])
        return (
            f'<script type="module" data-boot data-route="{route["id"]}" data-modules="{modules}" src="{self.url}" '
            'fetchpriority="low"></script>'
        )


def write_boot(static: Path, entry_script: str) -> Boot:
    """Bundle the script with what the build's manifest says, and write it beside the other hashed files."""
    manifest_file = next((static / "assets").glob("manifest-*.js"))
    manifest = json.loads(manifest_file.read_text().partition("=")[2].rstrip("; \n"))
    entry, root = manifest["entry"], manifest["routes"]["root"]
    core = list(dict.fromkeys([*root["imports"], *entry["imports"]]))
    values = built_values(CORE=core, MANIFEST=manifest["url"], ROOT=root["module"], ENTRY=entry["module"])
    (compiled() / "static_first/built.js").write_text(values)
    routes = {"/" + route.get("path", ""): route for route in manifest["routes"].values() if route["id"] != "root"}
    script = run("bundle_script.mjs", entry=entry_script, folder=str((static / "assets").resolve()), name="page")
    return Boot(f"/assets/{script.strip()}", core, routes)

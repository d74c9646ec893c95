"""Copies the paths of the icons in use from the npm package @mdi/js into mdi.json.

python -m components.art.mdi <folder of @mdi/js> [icon to add …]
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

TABLE = Path(__file__).with_name("mdi.json")

_EXPORT = re.compile(r'export var mdi(\w+) = "([^"]+)";')


def copied(library: str, names: Iterable[str]) -> dict[str, str]:
    """The path of each name in the text of mdi.js; refuses a name the library does not have."""
    paths = dict(_EXPORT.findall(library))
    chosen = {}
    for name in sorted(set(names)):
        export = "".join(part.capitalize() for part in name.split("-"))
        if export not in paths:
            raise KeyError(f"@mdi/js has no icon named {name!r}")
        chosen[name] = paths[export]
    return chosen


def written(version: str, paths: Mapping[str, str]) -> str:
    """The table's text: where the paths come from, their licence, and one icon a line."""
    table = {"source": f"@mdi/js {version}", "licence": "Apache-2.0, Pictogrammers", "paths": dict(sorted(paths.items()))}
    return json.dumps(table, indent=1) + "\n"


def _main(package: Path, added: list[str]) -> None:
    names = [*json.loads(TABLE.read_text())["paths"], *added]
    version = json.loads((package / "package.json").read_text())["version"]
    TABLE.write_text(written(version, copied((package / "mdi.js").read_text(), names)))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])

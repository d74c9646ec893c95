"""Copies the paths of the icons in use from the npm package @mdi/js into mdi.json, shortened by svgo.

python -m components.art.mdi <folder of @mdi/js> [icon to add …]

Icons that are added leave the others as they are; without a name all are copied anew.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

TABLE = Path(__file__).with_name("mdi.json")

_SVGO = "svgo@4.1.0"
_EXPORT = re.compile(r'export var mdi(\w+) = "([^"]+)";')


def copied(library: str, names: Iterable[str]) -> dict[str, str]:
    """The path of each name in the text of mdi.js; refuses a name the library does not have."""
    paths = dict(_EXPORT.findall(library))
    chosen = {}
    for name in sorted(set(names)):
        export = "".join(part.capitalize() for part in name.split("-"))
        if export not in paths:
            raise KeyError(f"@mdi/js has no icon named {name}: names are written like arrow-right, not arrowRight.")
        chosen[name] = paths[export]
    return chosen


def shortened(paths: Mapping[str, str]) -> dict[str, str]:
    """The same lines in fewer characters."""
    with TemporaryDirectory() as folder:
        for name, data in paths.items():
            Path(folder, f"{name}.svg").write_text(
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="{data}"/></svg>'
            )
        subprocess.run(["npx", "--yes", _SVGO, "--quiet", "--precision", "1", "--multipass", "--folder", folder], check=True)  # noqa: S603, S607
        return {name: ET.parse(Path(folder, f"{name}.svg")).getroot()[0].attrib["d"] for name in paths}  # noqa: S314  our own


def written(version: str, paths: Mapping[str, str]) -> str:
    """The table's text: where the paths come from, their licence, and one icon a line."""
    table = {"source": f"@mdi/js {version}", "licence": "Apache-2.0, Pictogrammers", "paths": dict(sorted(paths.items()))}
    return json.dumps(table, indent=1) + "\n"


def _main(package: Path, added: list[str]) -> None:
    paths = json.loads(TABLE.read_text())["paths"]
    version = json.loads((package / "package.json").read_text())["version"]
    try:
        chosen = copied((package / "mdi.js").read_text(), added or paths)
    except KeyError as error:
        sys.exit(error.args[0])
    TABLE.write_text(written(version, paths | shortened(chosen)))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])

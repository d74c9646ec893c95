"""Copies Material Design icons into the table of components/art, minified by SVGO.

`python -m site_app.cli.develop.icons <folder of @mdi/js> [icon to add …]` copies the named icons; without names, all icons of the table
again.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from components.art.icons import TABLE

_SVGO = "svgo@4.1.0"
_EXPORT = re.compile(r'export var mdi(\w+) = "([^"]+)";')
# Circles that begin at their top, as four quarters.
_CLOCKWISE = re.compile(r"a(\d*\.?\d+) \1 0 0 1 \1 \1 \1 \1 0 0 1-\1 \1 \1 \1 0 0 1-\1-\1 \1 \1 0 0 1 \1-\1")
_COUNTERCLOCKWISE = re.compile(r"a(\d*\.?\d+) \1 0 0 0-\1 \1 \1 \1 0 0 0 \1 \1 \1 \1 0 0 0 \1-\1 \1 \1 0 0 0-\1-\1")


def exported_paths(library: str, names: Iterable[str]) -> dict[str, str]:
    """Returns the path of each name from the text of mdi.js; raises an error for a name that the library lacks."""
    paths = dict(_EXPORT.findall(library))
    icon_paths = {}
    for name in sorted(set(names)):
        export = "".join(part.capitalize() for part in name.split("-"))
        if export not in paths:
            raise KeyError(f"@mdi/js has no icon named {name}: names are written like arrow-right, not arrowRight.")
        icon_paths[name] = paths[export]
    return icon_paths


def minified(paths: Mapping[str, str]) -> dict[str, str]:
    """Returns the paths minified by SVGO."""
    with TemporaryDirectory() as folder:
        for name, data in paths.items():
            Path(folder, f"{name}.svg").write_text(
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="{data}"/></svg>'
            )
        subprocess.run(["npx", "--yes", _SVGO, "--quiet", "--precision", "1", "--multipass", "--folder", folder], check=True)  # noqa: S607
        svg_paths = {name: ET.parse(Path(folder, f"{name}.svg")).getroot()[0].attrib["d"] for name in paths}  # noqa: S314  our own
        return {name: with_half_circles(path) for name, path in svg_paths.items()}


def with_half_circles(path: str) -> str:
    """Returns the path with each circle of four quarters as two halves, which draw the same in half the text."""
    path = _CLOCKWISE.sub(lambda match: _halves(match[1], sweep=1), path)
    return _COUNTERCLOCKWISE.sub(lambda match: _halves(match[1], sweep=0), path)


def _halves(radius: str, *, sweep: int) -> str:
    diameter = f"{2 * float(radius):g}"
    return f"a{radius} {radius} 0 1 {sweep} 0 {diameter} {radius} {radius} 0 0 {sweep} 0-{diameter}"


def table_text(version: str, paths: Mapping[str, str]) -> str:
    """Returns the text of the table: the source of the paths, their licence, and one icon per line."""
    table = {"source": f"@mdi/js {version}", "licence": "Apache-2.0, Pictogrammers", "paths": dict(sorted(paths.items()))}
    return json.dumps(table, indent=1) + "\n"


def _main(package: Path, added: list[str]) -> None:
    paths = json.loads(TABLE.read_text())["paths"]
    version = json.loads((package / "package.json").read_text())["version"]
    try:
        icon_paths = exported_paths((package / "mdi.js").read_text(), added or paths)
    except KeyError as error:
        sys.exit(error.args[0])
    TABLE.write_text(table_text(version, paths | minified(icon_paths)))


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])

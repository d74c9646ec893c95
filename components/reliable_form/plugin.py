"""Puts the form's scripts where a Reflex build finds them, in projects that do not collect `components/**` by themselves."""

from pathlib import Path
from typing import Any

from reflex_base.plugins import Plugin


class ReliableFormPlugin(Plugin):
    """List it in rx.Config."""

    def get_static_assets(self, **_: Any) -> list[tuple[Path, str | bytes]]:
        here = Path(__file__).parent
        return [(Path("components/reliable_form") / file.name, file.read_text()) for file in sorted(here.glob("*.js"))]

"""Copies the form's files into the build of a project that does not copy `components/**` itself."""

from pathlib import Path
from typing import Any

import reflex as rx


class ReliableFormPlugin(rx.plugins.Plugin):
    """List it in rx.Config."""

    def get_static_assets(self, **_: Any) -> list[tuple[Path, str | bytes]]:
        folder = Path(__file__).parent
        files = [*sorted(folder.glob("*.js*")), folder.parent / "messages/events.js"]
        return [("components" / file.relative_to(folder.parent), file.read_text()) for file in files]

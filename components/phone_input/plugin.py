"""Copies the field's files into the build of a project."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import reflex as rx
from reflex.utils.prerequisites import get_web_dir

_FOLDER = Path(__file__).parent


class PhoneInputPlugin(rx.plugins.Plugin):
    """For projects whose build does not copy `components/**` itself; a build that does needs only `flags()`."""

    def get_static_assets(self, **_: Any) -> Sequence[tuple[Path, str | bytes]]:
        return [*scripts(), *flags()]

    def get_stylesheet_paths(self, **_: Any) -> Sequence[str]:
        return ["../components/phone_input/phone_input.css"]


def scripts() -> Iterator[tuple[Path, str]]:
    """Yields the component's own files, for "$/components/phone_input"."""
    for file in sorted(_FOLDER.iterdir()):
        if file.suffix in (".js", ".jsx", ".json", ".css"):
            yield Path("components/phone_input") / file.name, file.read_text()


def flags() -> Iterator[tuple[Path, str]]:
    """Yields the flags of the installed npm package as our own files, so that browsers load nothing from other hosts."""
    for file in sorted((get_web_dir() / "node_modules/country-flag-icons/3x2").glob("*.svg")):
        yield Path("public/flags") / file.name, file.read_text()

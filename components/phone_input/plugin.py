"""Puts the phone input's scripts and flags where a Reflex build finds them: list PhoneInputPlugin() in rx.Config."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reflex.utils.prerequisites import get_web_dir
from reflex_base.plugins import Plugin

_HERE = Path(__file__).parent


class PhoneInputPlugin(Plugin):
    """For projects that do not collect `components/**` by themselves; a build that does needs only `flags()`."""

    def get_static_assets(self, **_: Any) -> Sequence[tuple[Path, str | bytes]]:
        return [*scripts(), *flags()]

    def get_stylesheet_paths(self, **_: Any) -> Sequence[str]:
        return ["../components/phone_input/phone_input.css"]


def scripts() -> Iterator[tuple[Path, str]]:
    """The component's own files, for "$/components/phone_input"."""
    for file in sorted(_HERE.iterdir()):
        if file.suffix in (".js", ".jsx", ".json", ".css"):
            yield Path("components/phone_input") / file.name, file.read_text()


def flags() -> Iterator[tuple[Path, str]]:
    """The flags of the installed npm package, as files of our own: nothing is ever fetched from a foreign host."""
    for file in sorted((get_web_dir() / "node_modules/country-flag-icons/3x2").glob("*.svg")):
        yield Path("public/flags") / file.name, file.read_text()

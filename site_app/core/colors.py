"""The design tokens, read from components/theme.css, for what that stylesheet does not reach: plain pages, mails, pictures."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

THEME = Path(__file__).parents[2] / "components" / "theme.css"
_COLOR = re.compile(r"--color-([\w-]+):\s*([^;]+);")
_VAR = re.compile(r"var\(--color-([\w-]+)\)")
_MIX = re.compile(r"color-mix\(in srgb, #(\w{6}), #(\w{6}) (\d+)%\)")


@cache
def light() -> Mapping[str, str]:
    """Every colour of the light theme by its name, such as `on-primary`."""
    return _resolved(_written("@theme static"))


@cache
def dark() -> Mapping[str, str]:
    """The same names in the dark theme; what it does not change is as in the light one."""
    return _resolved(_written("@theme static") | _written("\n.dark"))


def stylesheet() -> str:
    """The sizes and both themes as rules of plain CSS, under the names that they have in the site's own stylesheet."""
    return f":root{{{_block('@theme')}}}" + _rule(":root", light()) + _rule(":root.dark", dark())


def _block(name: str) -> str:
    return THEME.read_text(encoding="utf-8").partition(f"{name} {{")[2].partition("\n}")[0]


def _written(block: str) -> dict[str, str]:
    found = dict(_COLOR.findall(_block(block)))
    if not found:
        raise ValueError(f"{THEME} has no colours under {block.strip()!r}")
    return found


def _resolved(written: Mapping[str, str]) -> Mapping[str, str]:
    """The colours with those that are made of others worked out, as a browser does it."""

    def plain(value: str) -> str:
        return _MIX.sub(_mixed, _VAR.sub(lambda name: plain(written[name[1]]), value))

    return MappingProxyType({name: plain(value) for name, value in written.items()})


def _mixed(found: re.Match[str]) -> str:
    share = int(found[3]) / 100
    channels = zip(bytes.fromhex(found[1]), bytes.fromhex(found[2]), strict=True)
    return "#" + "".join(f"{round(one * (1 - share) + other * share):02x}" for one, other in channels)


def _rule(selector: str, colors: Mapping[str, str]) -> str:
    return selector + "{" + "".join(f"--color-{name}:{value};" for name, value in colors.items()) + "}\n"

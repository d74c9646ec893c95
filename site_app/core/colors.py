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
    return _resolved(_declared_colors("@theme static"))


@cache
def dark() -> Mapping[str, str]:
    """The same names in the dark theme; what it does not change is as in the light one."""
    return _resolved(_declared_colors("@theme static") | _declared_colors("\n.dark"))


def stylesheet() -> str:
    """The sizes and both themes as rules of plain CSS, under the names that they have in the site's own stylesheet."""
    return f":root{{{_block('@theme')}}}" + _rule(":root", light()) + _rule(":root.dark", dark())


def _block(name: str) -> str:
    return THEME.read_text(encoding="utf-8").partition(f"{name} {{")[2].partition("\n}")[0]


def _declared_colors(block: str) -> dict[str, str]:
    declared = dict(_COLOR.findall(_block(block)))
    if not declared:
        raise ValueError(f"{THEME} has no colours under {block.strip()!r}")
    return declared


def _resolved(declared: Mapping[str, str]) -> Mapping[str, str]:
    """The colours with those that are made of others worked out, as a browser does it."""

    def plain(value: str) -> str:
        return _MIX.sub(_mixed, _VAR.sub(lambda name: plain(declared[name[1]]), value))

    return MappingProxyType({name: plain(value) for name, value in declared.items()})


def _mixed(match: re.Match[str]) -> str:
    share = int(match[3]) / 100
    channels = zip(bytes.fromhex(match[1]), bytes.fromhex(match[2]), strict=True)
    return "#" + "".join(
        f"{round(first_channel * (1 - share) + second_channel * share):02x}" for first_channel, second_channel in channels
    )


def _rule(selector: str, colors: Mapping[str, str]) -> str:
    return selector + "{" + "".join(f"--color-{name}:{value};" for name, value in colors.items()) + "}\n"

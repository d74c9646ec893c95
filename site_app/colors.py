"""The colours of the design tokens, read from components/theme.css, for what that stylesheet does not reach: plain pages, mails, pictures."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

THEME = Path(__file__).parents[1] / "components" / "theme.css"
_COLOR = re.compile(r"--color-([\w-]+):\s*([^;]+);")


@cache
def light() -> Mapping[str, str]:
    """Every colour of the light theme by its name, such as `on-primary`."""
    return _colors("@theme static")


@cache
def dark() -> Mapping[str, str]:
    """The same names in the dark theme; what it does not change is as in the light one."""
    return MappingProxyType({**light(), **_colors("\n.dark")})


def stylesheet() -> str:
    """Both themes as rules of plain CSS, under the names that they have in the site's own stylesheet."""
    return _rule(":root", light()) + _rule(":root.dark", dark())


def _colors(block: str) -> Mapping[str, str]:
    rules = THEME.read_text(encoding="utf-8").partition(f"{block} {{")[2].partition("\n}")[0]
    found = dict(_COLOR.findall(rules))
    if not found:
        raise ValueError(f"{THEME} has no colours under {block.strip()!r}")
    return MappingProxyType(found)


def _rule(selector: str, colors: Mapping[str, str]) -> str:
    return selector + "{" + "".join(f"--color-{name}:{value};" for name, value in colors.items()) + "}\n"

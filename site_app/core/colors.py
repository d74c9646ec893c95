"""The design tokens, read from components/theme.css, for plain pages, mails and pictures, which do not load that stylesheet."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from site_app.core import ROOT

THEME = ROOT / "components" / "theme.css"
_COLOR = re.compile(r"--color-([\w-]+):\s*([^;]+);")
_VAR = re.compile(r"var\(--color-([\w-]+)\)")


@cache
def light() -> Mapping[str, str]:
    """Returns every colour of the light theme by its name, such as `on-primary`."""
    return _resolved(_declared_colors("@theme static"))


@cache
def dark() -> Mapping[str, str]:
    """Returns the same names in the dark theme; colours that it does not override are those of the light theme."""
    return _resolved(_declared_colors("@theme static") | _declared_colors("\n.dark"))


def stylesheet() -> str:
    """Returns the sizes and both themes as plain CSS, with the same custom property names as in the site's stylesheet."""
    return f":root{{{_block('@theme')}}}" + _rule(":root", light()) + _rule(":root.dark", dark())


def _block(name: str) -> str:
    return THEME.read_text(encoding="utf-8").partition(f"{name} {{")[2].partition("\n}")[0]


def _declared_colors(block: str) -> dict[str, str]:
    declared = dict(_COLOR.findall(_block(block)))
    if not declared:
        raise ValueError(f"{THEME} has no colours under {block.strip()!r}")
    return declared


def _resolved(declared: Mapping[str, str]) -> Mapping[str, str]:
    """Returns the colours with references replaced, as a browser would."""

    def computed(value: str) -> str:
        return _VAR.sub(lambda name: computed(declared[name[1]]), value)

    return MappingProxyType({name: computed(value) for name, value in declared.items()})


def _rule(selector: str, colors: Mapping[str, str]) -> str:
    return selector + "{" + "".join(f"--color-{name}:{value};" for name, value in colors.items()) + "}\n"

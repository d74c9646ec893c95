"""The same page in fewer bytes: it must arrive with the first packets of a connection, ten of them, headers and all."""

import re
from collections.abc import Iterator
from itertools import count, product
from string import ascii_lowercase, digits

_VOID = r"<((?:meta|link|img|br|hr|input)\b[^<>]*?) ?/>"
_MIXES = re.compile(r"@supports \(color:color-mix\([^()]*\)\)\{((?:[^{}]*\{[^{}]*\})*)\}")


def lean_html(html: str) -> str:
    """Without the ends of tags that HTML does not ask for."""
    short = re.sub(_VOID, r"<\1>", html)
    return re.sub(r"<(path|circle|ellipse|rect)\b([^<>]*)></\1>", r"<\1\2/>", short)


def lean_style(style: str) -> str:
    """A page's own style, which nothing outside of it refers to: short names of custom properties, each rule and value once.

    Colours are mixed without asking first whether the browser can: one that cannot (before 2023) draws the figures in outline until
    the whole stylesheet is there, which asks.
    """
    joined = _joined(_MIXES.sub(r"\1", style))
    once = re.sub(r"\{([^{}]+)\}", lambda found: f"{{{_each_once(found[1])}}}", joined)
    tight = re.sub(r'"[^"]*"|, ', lambda found: "," if found[0] == ", " else found[0], once)
    return _with_short_names(tight)


def _joined(style: str) -> str:
    """With neighbours of one selector as one rule."""
    shorter = re.sub(r"(?:^|(?<=[{}]))([^{}@]+)\{([^{}]*?);?\}\1\{", r"\1{\2;", style)
    return style if shorter == style else _joined(shorter)


def _each_once(declarations: str) -> str:
    """Without what the same rule says again, or overrides: a custom property has no fallback but its last value."""
    if '"' in declarations or "url(" in declarations:  # a semicolon need not end a declaration there
        return declarations
    last: dict[str, str] = {}
    for one in declarations.split(";"):
        name = one.partition(":")[0]
        key = name if name.startswith("--") else one
        last.pop(key, None)
        last[key] = one
    return ";".join(last.values())


def _with_short_names(style: str) -> str:
    named = dict.fromkeys(re.findall(r"(?<![\w-])--[\w-]+", style))
    short = dict(zip(named, _names(), strict=False))
    return re.sub(r"(?<![\w-])--[\w-]+", lambda found: f"--{short[found[0]]}", style)


def _names() -> Iterator[str]:
    for length in count(1):
        for letters in product(ascii_lowercase + digits, repeat=length):
            yield "".join(letters)

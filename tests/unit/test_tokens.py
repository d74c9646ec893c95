"""The colours of the theme are the spec's, and what is read on them can be read."""

import re
from pathlib import Path

import pytest

THEME = (Path(__file__).parents[2] / "components" / "theme.css").read_text()
TEXT, LARGE = 4.5, 3.0

# what stands on what; TEXT for words, LARGE for outlines and marks
PAIRS = [
    *(
        (ink, ground, TEXT)
        for ink in ("ink", "ink-soft", "accent")
        for ground in ("background", "tint", "surface-raised", "primary-soft")
    ),
    *(
        (ink, ground, TEXT)
        for ink in ("error-text", "warning-text", "success-text")
        for ground in ("background", "tint", "surface-raised")
    ),
    ("on-primary", "primary", TEXT),
    ("on-primary", "primary-hover", TEXT),
    ("on-field", "field", TEXT),
    ("field", "on-field", TEXT),
    *(("line-strong", ground, LARGE) for ground in ("background", "tint", "surface-raised")),
    *(("accent", ground, LARGE) for ground in ("background", "tint")),
]


def tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"--color-([\w-]+):\s*(#[0-9a-f]{6});", block))


def themes() -> dict[str, dict[str, str]]:
    light = tokens(THEME.partition("@theme static {")[2].partition("\n}")[0])
    dark = tokens(THEME.partition("\n.dark {")[2].partition("\n}")[0])
    return {"light": light, "dark": light | dark}


def luminance(color: str) -> float:
    channels = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula_gives_the_known_ends() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_what_is_read_stands_out_from_its_ground(theme: str, ink: str, ground: str, least: float) -> None:
    colors = themes()[theme]

    assert contrast(colors[ink], colors[ground]) >= least, f"{colors[ink]} on {colors[ground]}"


@pytest.mark.parametrize(
    ("name", "color"),
    [
        ("primary", "#6141ac"),
        ("secondary", "#a992e7"),
        ("error", "#f95d5d"),
        ("warning", "#f1c40f"),
        ("surface-variant", "#6141ac"),
        ("background", "#ffffff"),
    ],
)
def test_the_light_colours_are_the_specs(name: str, color: str) -> None:
    assert themes()["light"][name] == color

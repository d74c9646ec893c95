"""The theme's colours are defined in one place, are all used, and have enough contrast."""

import re
import subprocess
from pathlib import Path

import pytest

from site_app.core import colors

ROOT = Path(__file__).parents[2]
THEMES = {"light": colors.light(), "dark": colors.dark()}
TEXT, LARGE = 4.5, 3.0

# foreground and background; TEXT for words, LARGE for outlines and marks
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
    *(
        (ink, f"{kind}-soft", TEXT)
        for kind in ("error", "warning", "success")
        for ink in ("ink", "ink-soft", "accent", f"{kind}-text")
    ),
    ("on-primary", "primary", TEXT),
    ("on-primary", "primary-hover", TEXT),
    ("on-secondary", "secondary", TEXT),
    ("on-surface-variant", "surface-variant", TEXT),
    ("primary-hover", "tint", TEXT),
    *(("line-strong", ground, LARGE) for ground in ("background", "tint", "surface-raised")),
    ("error", "surface", LARGE),
    *(("accent", ground, LARGE) for ground in ("background", "tint")),
]


def luminance(color: str) -> float:
    channels = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(color: str, background: str) -> float:
    low, high = sorted((luminance(color), luminance(background)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_have_enough_contrast(theme: str) -> None:
    of = THEMES[theme]

    assert [(ink, ground) for ink, ground, least in PAIRS if contrast(of[ink], of[ground]) < least] == []


def sources(*endings: str) -> list[Path]:
    """Yields the product's files with these endings, without the table of colours itself."""
    command = ["git", "ls-files", "--", *(f"{folder}/*{ending}" for folder in ("components", "site_app") for ending in endings)]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in listed if ROOT / name != colors.THEME]


def test_no_colour_of_the_theme_is_written_a_second_time() -> None:
    theme_values = {value for theme in THEMES.values() for value in theme.values()} - {"#ffffff"}

    repeated = {
        f"{file.relative_to(ROOT)}: {color}"
        for file in sources(".py", ".css", ".js", ".jsx", ".html")
        for color in re.findall(r"#[0-9a-f]{6}\b", re.sub(r"var\([^()]*\)", "", file.read_text().lower()))
        if color in theme_values
    }

    assert repeated == set()


def mixed(color: str, other: str, share: float) -> str:
    """Returns color-mix(in srgb, color, other share)."""
    channels = zip(bytes.fromhex(color[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(channel * (1 - share) + addition * share):02x}" for channel, addition in channels)


@pytest.mark.parametrize("theme", THEMES)
def test_the_shades_of_the_primary_colour_are_mixed_from_it(theme: str) -> None:
    of = THEMES[theme]
    shades = {
        "primary-hover": mixed(of["primary"], of["ink"], 0.28),
        "primary-soft": mixed(of["background"], of["primary"], 0.11),
    }

    assert {name: of[name] for name in shades} == shades, f"write into components/theme.css, {theme}: {shades}"


def test_a_new_primary_colour_changes_the_colours_that_refer_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theme = tmp_path / "theme.css"
    theme.write_text(colors.THEME.read_text().replace(f"primary: {THEMES['light']['primary']}", "primary: #006644"))
    monkeypatch.setattr(colors, "THEME", theme)
    colors.light.cache_clear()

    changed = colors.light()
    colors.light.cache_clear()

    assert changed["primary"] == changed["accent"] == changed["surface-variant"] == "#006644"


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_is_known_to_browsers_and_mail_programs_of_any_age(theme: str) -> None:
    assert [value for value in THEMES[theme].values() if not value.startswith(("#", "rgb("))] == []

"""A language with high letters sets the lines of headlines farther apart, and no stylesheet takes that back."""

import re
from pathlib import Path

COMPONENTS = Path(__file__).parents[2] / "components"
# The sizes whose lines a language sets apart: Thai stacks marks above and below its letters.
SIZES = sorted(set(re.findall(r"--text-(\w+)--line-height:", (COMPONENTS / "base.css").read_text())))


def test_a_headline_has_the_line_height_of_the_language() -> None:
    fixed = [
        f"{file.relative_to(COMPONENTS)}: {selector.strip()}"
        for file in COMPONENTS.rglob("*.css")
        for selector, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", file.read_text())
        for size in SIZES
        if f"var(--text-{size})" in rule
        and re.search(r"line-height:|font:", rule)
        and f"var(--text-{size}--line-height)" not in rule
    ]

    assert fixed == []

"""What a layout does to its words: see layout.js."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

THAI_LINE = 1.3  # of the size of the letters; closer lines touch each other's marks


@cache
def _source() -> str:
    return Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def lengthen(page: Page) -> None:
    """Make every word that is on the page 40 % longer, with accents; what React writes later is not."""
    page.evaluate(_source())
    page.evaluate("__layout.lengthen(document.body)")


def faults(page: Page) -> list[str]:
    """Texts that leave the screen, are cut off or stick out of their button, controls that overlap, Thai lines that touch."""
    page.evaluate(_source())
    problems: list[str] = page.evaluate("__layout.faults(document.body)")
    tight: list[str] = page.evaluate("least => __layout.tight(document.body, least)", THAI_LINE)
    return [*problems, *(f"lines too close: {lines}" for lines in tight)]

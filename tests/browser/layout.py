"""Checks the layout of texts: see layout.js."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

THAI_LINE = 1.3  # times the font size; in closer lines the marks touch


@cache
def _source() -> str:
    return Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def lengthen(page: Page) -> None:
    """Makes every word on the page 40 % longer, with accents; texts that React writes later stay as they are."""
    page.evaluate(_source())
    page.evaluate("__layout.lengthen(document.body)")


def faults(page: Page) -> list[str]:
    """Returns texts that are off the screen, cut off or outside their button, overlapping controls, and touching Thai lines."""
    page.evaluate(_source())
    problems: list[str] = page.evaluate("__layout.faults(document.body)")
    tight: list[str] = page.evaluate("least => __layout.tight(document.body, least)", THAI_LINE)
    return [*problems, *(f"lines too close: {lines}" for lines in tight)]

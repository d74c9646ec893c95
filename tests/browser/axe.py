"""axe's findings on a page, as sentences."""

from functools import cache
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@cache
def _source() -> str:
    return next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()


def findings(page: Page) -> list[str]:
    """What axe finds, one line for each element."""
    page.evaluate(_source())  # evaluated by the debugger: the page's policy does not forbid it
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
    result = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{one['id']}: {node['target']} {node.get('failureSummary', '')}"
        for one in result["violations"]
        for node in one["nodes"]
    ]

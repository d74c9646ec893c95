"""axe's findings on a page, as sentences."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # all that another theme can break


@cache
def _source() -> str:
    return next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()


def findings(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Returns one line for each element that axe complains about, by these rules alone if some are given."""
    page.evaluate(_source())  # evaluated by the debugger, which the page's policy does not restrict
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": RULES}
    options = {"runOnly": only, "resultTypes": ["violations"]}
    result = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]

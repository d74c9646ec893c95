"""Of the one stylesheet, the part that each page needs for its first paint; the whole follows with the first intent."""

import json
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from site_app.static_first.node import run


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.classes: set[str] = set()
        self.language = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.classes.update((values.get("class") or "").split())
        if tag == "html":
            self.language = (values.get("lang") or "").partition("-")[0]


def asked_by(html: str) -> dict[str, Any]:
    """Every class that the page's elements have, and the language that it says it is in."""
    reader = _Reader()
    reader.feed(html)
    return {"classes": sorted(reader.classes), "language": reader.language}


def page_styles(sheet: Path, pages: Iterable[Path]) -> dict[Path, str]:
    """The style of each page: the rules whose selectors ask for no class that its elements do not have, and what these need."""
    asked = {str(page): asked_by(page.read_text()) for page in pages}
    made = json.loads(run("page_styles.mjs", sheet=str(sheet.resolve()), pages=asked))
    return {Path(page): style for page, style in made.items()}

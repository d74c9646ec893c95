"""The site's own measured figures, from the record that the trials write, for texts that quote them."""

import json
import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from site_app.core.i18n.clocks import date_words

RECORD = Path(__file__).parents[2] / "tests/trials/results.json"

FIGURES = (
    *("home_kb", "home_lcp_ratio", "home_tbt_ms", "astrowind_kb", "astrowind_lcp_ratio"),
    *("submissions_per_second", "pages_per_second", "trials", "trials_met", "measured_on"),
)


_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def unknown_figure(text: str) -> str | None:
    """The first {name} of the text that no figure has."""
    return next((name for name in _PLACEHOLDER.findall(text) if name not in FIGURES), None)


def filled(text: str) -> str:
    """The text with the figures that it names in braces; other braces stay as they are."""
    if "{" not in text:
        return text
    values = measured()
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)


def measured() -> Mapping[str, str]:
    """Each figure by the name that a text calls it by, written for the language being written in."""
    record = _record()
    if not record:  # a copy of the project without its trials
        return dict.fromkeys(FIGURES, "–")
    pages, capacity = record["pages"]["figures"], record["capacity"]["figures"]
    outcomes = [attack["outcome"] for attack in record["attacks"].values()]
    return {
        "home_kb": f"{pages['home.kb']:.1f}",
        "home_lcp_ratio": f"{pages['home.lcp_ratio']:.2f}",
        "home_tbt_ms": f"{pages['home.tbt_ms']:.0f}",
        "astrowind_kb": f"{pages['astrowind.kb']:.0f}",
        "astrowind_lcp_ratio": f"{pages['astrowind.lcp_ratio']:.2f}",
        "submissions_per_second": f"{capacity['submissions.sqlite.per_second']:,.0f}",
        "pages_per_second": f"{capacity['pages.sqlite.per_second']:,.0f}",
        "trials": str(len(outcomes)),
        "trials_met": str(outcomes.count("met")),
        "measured_on": date_words(date.fromisoformat(record["pages"]["date"][:10])),
    }


@cache
def _record() -> dict[str, Any]:
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}

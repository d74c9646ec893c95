"""Figures measured on this site, for texts that quote them: the trials write them into measurements.json beside this module."""

import json
import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from site_app.core.i18n.clocks import date_words

MEASUREMENTS = Path(__file__).with_name("measurements.json")
_DATE = "measured_on"
_FORMATS = {  # of each figure, by the name that texts put in braces
    "home_kb": ".1f",
    "home_lcp_ratio": ".2f",
    "home_tbt_ms": ".0f",
    "astrowind_kb": ".0f",
    "astrowind_lcp_ratio": ".2f",
    "astrowind_tbt_ms": ".0f",
    "desktop_home_kb": ".0f",
    "desktop_astrowind_kb": ".0f",
    "submissions_per_second": ",.0f",
    "pages_per_second": ",.0f",
    "trials": "d",
    "trials_met": "d",
}
_NAMES = frozenset(_FORMATS) | {_DATE}
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def unknown_figure(text: str) -> str | None:
    """Returns the first {name} of the text that is not a figure's, or None."""
    return next((name for name in _PLACEHOLDER.findall(text) if name not in _NAMES), None)


def names_figures(text: str) -> bool:
    """Returns True if the text has the {name} of a measured figure."""
    return any(name in _NAMES for name in _PLACEHOLDER.findall(text))


def measured_on() -> date:
    """Returns the day of the last measurement."""
    return date.fromisoformat(_measurements()[_DATE])


def with_figures(text: str) -> str:
    """Returns the text with the figures that it names in braces; other braces stay as they are."""
    if "{" not in text:
        return text
    figures = written_figures()
    return _PLACEHOLDER.sub(lambda match: figures.get(match[1], match[0]), text)


def written_figures() -> Mapping[str, str]:
    """Returns each figure by its name, written for the language being written in."""
    measurements = _measurements()
    figures = {name: format(measurements[name], form) for name, form in _FORMATS.items()}
    return {**figures, _DATE: date_words(measured_on())}


@cache
def _measurements() -> Mapping[str, Any]:
    return json.loads(MEASUREMENTS.read_text())

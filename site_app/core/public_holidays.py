"""The public holidays of regions, computed in a child process."""

import json
from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from site_app.core.child_process import run_module_blocking

_BLOCK_YEARS = 10
_MAX_SECONDS = 30


class UnknownRegion(ValueError):
    """The package `holidays` has no such country, or the country has no such part."""


def holidays_of(region: str, year: int) -> Mapping[date, str]:
    """Returns the holidays of a region such as GB or GB-ENG around a year with their names, in English where known. Without a region there are none.

    Raises UnknownRegion.
    """
    return _holidays_of_block(region, year - year % _BLOCK_YEARS) if region else {}


def prepare_holidays(region: str) -> None:
    """Computes the holidays of this year and the next before the site serves, so that no request waits for the child process."""
    this_year = date.today().year  # noqa: DTZ011
    for year in (this_year, this_year + 1):
        holidays_of(region, year)


@lru_cache(maxsize=64)
def _holidays_of_block(region: str, first_year: int) -> Mapping[date, str]:
    """Returns the holidays of ten years from one call of the child process, which takes a quarter of a second.

    Not in this process, because the package imports its modules of all countries, which would stay in memory. It cost each
    worker 10 MB.
    """
    last_year = first_year + _BLOCK_YEARS - 1
    process = run_module_blocking(
        "site_app.core.holiday_process", region, str(first_year), str(last_year), seconds=_MAX_SECONDS
    )
    process.check_returncode()
    names = json.loads(process.stdout)
    if names is None:
        raise UnknownRegion(region)
    return {date.fromisoformat(day): name for day, name in names.items()}

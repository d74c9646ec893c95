"""Prints the public holidays of a region, in a process of its own: python -m site_app.core.holiday_process GB-ENG 2020 2029."""

import json
import sys

from holidays import country_holidays


def main(region: str, first_year: str, last_year: str) -> None:
    """Prints a JSON object from dates to names, in English where known, or null if the region is unknown."""
    country, _, part = region.partition("-")
    years = range(int(first_year), int(last_year) + 1)
    try:
        languages = country_holidays(country, subdiv=part or None).supported_languages
    except NotImplementedError:
        sys.stdout.write("null")
        return
    language = next((language for language in ("en_GB", "en_US") if language in languages), None)
    names = country_holidays(country, subdiv=part or None, years=years, language=language)
    sys.stdout.write(json.dumps({day.isoformat(): names[day] for day in sorted(names)}))


if __name__ == "__main__":
    main(*sys.argv[1:])

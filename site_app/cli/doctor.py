"""python -m site_app doctor: whether the site can run here, and what to mend if not."""

from collections.abc import Iterable
from dataclasses import asdict

import typer
from rich.text import Text

from site_app.cli.checks import CHECKS
from site_app.cli.findings import ODD, WELL, WRONG, Finding, wrong
from site_app.cli.printing import Json, print_json, say_styled
from site_app.core.settings import BrokenSetting, environment, load

_STYLES = {WELL: ("✓", "green"), ODD: ("!", "yellow"), WRONG: ("✗", "red")}


def examine(json: Json = False) -> None:
    """Check settings, database, disk, mail, node and build, and say what to mend.

    Ends with 1 when something is wrong, so a deployment can stop there; what is only odd does not count.
    """
    found = list(findings())
    if json:
        print_json([asdict(one) for one in found])
    else:
        for one in found:
            _print(one)
    if any(one.state == WRONG for one in found):
        raise typer.Exit(1)


def findings() -> Iterable[Finding]:
    """What every check finds; where the settings cannot be read, only what is wrong with them."""
    try:
        settings = load(environment())
    except BrokenSetting as error:
        for one in error.args:
            yield wrong("settings", one, "Mend the variable; python -m site_app settings --markdown explains each.")
        return
    for check in CHECKS:
        yield from check(settings)


def _print(one: Finding) -> None:
    mark, colour = _STYLES[one.state]
    line = Text.assemble((f"{mark} ", colour), (f"{one.subject:<9}", "bold"), one.says)
    if one.mend:
        line.append(f"\n           → {one.mend}", style=colour)
    say_styled(line)

"""A command is imported only when it is requested, and is the same alone as among all commands."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from site_app.cli.main import COMMANDS, GROUPS, make


@pytest.mark.parametrize("name", [*GROUPS, *COMMANDS])
def test_a_command_has_the_same_help_alone_and_among_all(name: str) -> None:
    alone = CliRunner().invoke(make(name), [name, "--help"])
    among_all = CliRunner().invoke(make(), [name, "--help"])

    assert alone.exit_code == 0
    assert alone.output == among_all.output


def test_all_commands_are_listed_where_none_is_requested() -> None:
    output = CliRunner().invoke(make(), ["--help"]).output

    assert all(f" {name} " in output for name in [*GROUPS, *COMMANDS])


def test_other_commands_are_not_imported() -> None:
    code = "import sys; from site_app.cli.main import make; make('settings'); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert "site_app.cli.settings" in modules
    assert not {"site_app.cli.site", "site_app.cli.backup", "site_app.cli.doctor"} & {*modules}

"""The deploy trial starts units as systemd would, in what it honours of them."""

from pathlib import Path

import pytest

from tests.trials.deploy import supervisor
from tests.trials.deploy.supervisor import Unit

_UNIT = """[Unit]
Description=One at %i

[Service]
User=root
Environment=PORT=%i "NAME=two words" FROM=unit
EnvironmentFile={folder}/settings
EnvironmentFile=-{folder}/absent
# a comment
ExecStart=-/bin/program --port %i $OPTIONS ${{NAME}}
ExecReload=/bin/kill -HUP $MAINPID
"""


@pytest.fixture
def unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Unit:
    monkeypatch.setattr(supervisor, "_UNITS", (tmp_path,))
    monkeypatch.setattr(supervisor, "_RUN", tmp_path)
    (tmp_path / "settings").write_text("# of the operator\nFROM='file $1'\nOPTIONS=--a  --b\n")
    (tmp_path / "web@.service").write_text(_UNIT.format(folder=tmp_path))
    drop_ins = tmp_path / "web@.service.d"
    drop_ins.mkdir()
    (drop_ins / "more.conf").write_text("[Service]\nExecReload=\nExecReload=/bin/reload\n")
    return Unit("web@3001")


def test_env_files_override_the_units_own_variables(unit: Unit) -> None:
    variables = unit.environment

    assert (variables["PORT"], variables["NAME"], variables["FROM"]) == ("3001", "two words", "file $1")


def test_an_unquoted_variable_is_split_into_words(unit: Unit) -> None:
    arguments = unit._arguments(unit.last("ExecStart"))

    assert arguments[-5:] == ["--port", "3001", "--a", "--b", "two words"]
    assert arguments[:5] == ["setpriv", "--reuid", "root", "--regid", "root"]


def test_an_empty_line_of_a_drop_in_takes_back_what_the_unit_says(unit: Unit) -> None:
    assert unit.options["ExecReload"] == ["/bin/reload"]


def test_a_missing_unit_is_named(unit: Unit) -> None:
    with pytest.raises(SystemExit, match=r"other\.service"):
        Unit("other")

"""The deploy trial runs what the guide says: its reader finds the blocks and splits them where a shell would."""

import subprocess

import pytest

from tests.trials.deploy import command, debian
from tests.trials.deploy.document import blocks, commands, script

_GUIDE = """# Guide

```
before
```

## Install

```
first
# no heading
```

### A part of it

```
second
```

## Another

```
third
```
"""


def test_a_heading_includes_the_blocks_of_its_subheadings_only() -> None:
    assert blocks(_GUIDE, "Install") == ["first\n# no heading", "second"]
    assert blocks(_GUIDE, "A part of it") == ["second"]


def test_a_missing_heading_is_an_error() -> None:
    with pytest.raises(LookupError, match="no heading 'Remove'"):
        blocks(_GUIDE, "Remove")


@pytest.mark.parametrize(
    "text",
    [
        "cp a b && chmod 600 b    # a comment",
        "sed -e 's|a|b|' \\\n    -e 's|c|d|' file",
        "(set -a; . ./settings; make build)",
        "for port in 1; do    # more\n  restart $port\ndone",
        "backup ||\n  exit",
        "cat > file <<'END'\n[Service]\nEnvironment=\"A=b\"\nEND",
        "echo 'two\nlines'",
    ],
)
def test_a_command_may_span_several_lines(text: str) -> None:
    assert commands(f"# first\n\ntrue\n{text}\nfalse") == ["true", text, "false"]


def test_a_command_without_an_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="for port in 1"):
        commands("true\nfor port in 1; do")


@pytest.mark.parametrize(("text", "code"), [("false && true", 1), ("cd /nowhere && true  # why", 1), ("true # why", 0)])
def test_the_script_names_the_command_that_failed(text: str, code: int) -> None:
    process = subprocess.run(["bash", "-c", script(["name=kept", text, 'test "$name" = kept'])], capture_output=True, text=True)

    assert process.returncode == code
    assert ("failed: 1" in process.stderr) == bool(code)


@pytest.mark.parametrize(("allowed", "code"), [(None, 0), ("", 1), ("deploy", 0)])
def test_without_root_the_trial_says_what_it_lacks(
    allowed: str | None, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(debian.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(command, "end_in_order", lambda: None)
    monkeypatch.delenv("CI_ALLOW_MISSING", raising=False)
    if allowed is not None:
        monkeypatch.setenv("CI_ALLOW_MISSING", allowed)

    assert command.main([]) == code
    assert "not run: needs root, to make a Debian system" in capsys.readouterr().out

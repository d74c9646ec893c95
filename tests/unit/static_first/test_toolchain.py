"""The environment of Reflex's commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rxconfig
from site_app.core.settings import Settings
from site_app.plugins.static_first import toolchain
from tests.support.site_server import ROOT


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Imitates a shell without any setup."""
    for name in list(os.environ):
        if name.startswith("REFLEX_") or name == "NPM_CONFIG_REGISTRY":
            monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return monkeypatch


def test_npm_comes_from_our_packages_and_uses_the_configured_registry(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "npmrc").write_text("registry=https://npm.example.com/\n")
    bare.setenv("NPM_CONFIG_USERCONFIG", str(tmp_path / "npmrc"))

    environment = toolchain.tool_environment()

    assert environment["NPM_CONFIG_REGISTRY"] == "https://npm.example.com/"
    assert (Path(environment["PATH"].split(os.pathsep)[0]) / "npm").exists()


def test_variables_that_are_already_set_are_kept(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("NPM_CONFIG_REGISTRY", "https://npm.example.com/")
    bare.setenv("REFLEX_USE_NPM", "false")

    environment = toolchain.tool_environment()

    assert (environment["NPM_CONFIG_REGISTRY"], environment["REFLEX_USE_NPM"]) == ("https://npm.example.com/", "false")


def test_only_sources_are_watched() -> None:
    watched = [ROOT / path for path in rxconfig.WATCHED]

    assert [path for path in watched if not path.exists()] == []
    assert not any(
        path == folder or path in folder.parents for path in watched for folder in (ROOT / Settings().var, ROOT / ".web")
    )


@pytest.mark.parametrize(
    ("program", "is_reflex"), [("bin/reflex", True), ("lib/reflex/__main__.py", True), ("site_app/__main__.py", False)]
)
def test_reflex_is_recognised_by_its_program(monkeypatch: pytest.MonkeyPatch, program: str, is_reflex: bool) -> None:
    monkeypatch.setattr("sys.argv", [program, "run"])

    assert toolchain.is_reflex_command() is is_reflex


_FORK_DURING_START = """
import multiprocessing, subprocess, threading
from site_app.plugins.static_first.toolchain import fork_between_starts

happened, starting = [], threading.Event()
execute = subprocess.Popen._execute_child

def slow_start(*arguments):
    starting.set()
    threading.Event().wait(0.5)
    execute(*arguments)
    happened.append("started")

subprocess.Popen._execute_child = slow_start
fork_between_starts()
thread = threading.Thread(target=lambda: subprocess.Popen(["true"]).wait())
thread.start()
starting.wait()
child = multiprocessing.get_context("fork").Process(target=print, args=("in the child",))
child.start()
happened.append("forked")
child.join()
thread.join()
# forked by the thread that holds the lock
subprocess.Popen(["true"], preexec_fn=lambda: None).wait()
print(*happened)
"""


def test_a_fork_waits_until_a_program_that_another_thread_starts_runs() -> None:
    process = subprocess.run(
        [sys.executable, "-c", _FORK_DURING_START], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    )

    assert process.stdout.splitlines() == ["in the child", "started forked started"], process.stderr

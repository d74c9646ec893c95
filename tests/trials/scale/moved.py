"""Ordinary tests on a real PostgreSQL: without one they use SQLite, and those marked ON_POSTGRES are skipped."""

import ast
import asyncio
import os
import re
import sys
from collections.abc import Iterator

from tests.support.site_server import ROOT
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.trial import Trial
from tests.trials.scale.cluster import Cluster

_TESTS = ("tests/unit/cli/test_moving.py", "tests/unit/cli/test_backup.py", "tests/unit/store")


async def tests_pass(cluster: Cluster, _trial: Trial) -> Verdict:
    """Runs the tests in databases of their own on the cluster's server."""
    command = (sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *_TESTS, *_marked_elsewhere())
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        env=os.environ | {"TEST_POSTGRES_URL": cluster.database_url, "COLUMNS": "200"},  # wide enough to show why a test failed
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output = (await process.communicate())[0]
    lines = output.decode(errors="replace").strip().splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    figure = re.sub(r"[=]+", "", "; ".join([*lines[-1:], *failed])).strip()
    return Verdict(process.returncode == 0, figure[:300])


def _marked_elsewhere() -> Iterator[str]:
    """Yields the names of the tests outside of _TESTS that are marked ON_POSTGRES."""
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        name = file.relative_to(ROOT).as_posix()
        if name.startswith(_TESTS):
            continue
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "ON_POSTGRES" in map(
                ast.unparse, node.decorator_list
            ):
                yield f"{name}::{node.name}"

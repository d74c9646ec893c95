"""A server does not import what only builds, migrations or another database need: each megabyte is there once per worker."""

import subprocess
import sys

from tests.support.site_server import ROOT, environment

UNNEEDED = ("sqlalchemy.dialects.postgresql", "PIL", "watchfiles")
# As in a worker of the built site: a build would also measure the pictures of the pages.
_START = """
import sys
from site_app.asgi import environment

environment.REFLEX_SKIP_COMPILE.set(True)
import site_app.site_app

print(*sys.modules)
"""


def test_a_server_imports_nothing_that_it_does_not_need() -> None:
    result = subprocess.run(
        [sys.executable, "-c", _START], cwd=ROOT, env=environment({}), capture_output=True, text=True, check=True
    )

    modules = set(result.stdout.split())
    assert "site_app.provider.store.tables" in modules
    assert modules.isdisjoint(UNNEEDED)

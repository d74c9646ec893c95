"""Each test has its own site: a directory, a database, and the commands run against it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_app.core.settings import settings
from tests.support.databases import SERVER, migrated_database
from tests.unit.cli.site import Site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("SITE_VAR", str(tmp_path))
    with migrated_database(tmp_path) as address:
        if SERVER:
            monkeypatch.setenv("SITE_DATABASE_URL", address)
        settings.cache_clear()
        yield Site(tmp_path)
        settings.cache_clear()

"""README is true."""

import re
from pathlib import Path

import pytest

from site_app.commands.settings import as_markdown

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def test_the_table_of_settings_is_the_one_in_the_code() -> None:
    shown = re.search(r"<!-- settings: [^>]*-->\n(.*?)<!-- /settings -->", README, re.DOTALL)

    assert shown, "README has lost its marks"
    assert shown[1].strip() == as_markdown().strip(), "run: python -m site_app settings --write"


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`?make ([a-z-]+)", README))))
def test_a_make_command_exists(target: str) -> None:
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("target", re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
def test_a_target_of_the_makefile_is_in_readme(target: str) -> None:
    assert target == "help" or f"make {target}" in README


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:site_app|components|locales|alembic|tests|assets|deploy)/[\w/.-]+)`", README)))
)
def test_a_path_is_there(path: str) -> None:
    assert (ROOT / path).exists() or path == "site_app/content/careers.py"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"SITE_[A-Z_]+[A-Z]", README))))
def test_a_setting_exists(name: str) -> None:
    assert f"`{name}`" in as_markdown() or name == "SITE_BRAND"

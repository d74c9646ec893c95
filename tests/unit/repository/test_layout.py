"""The repository follows its layout."""

import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest
from reflex.constants import GitIgnore

import rxconfig
from site_app import pages
from site_app.content.legal import LEGAL_PAGES
from site_app.content.routes import BY_PATH, REDIRECTS, ROUTES
from site_app.pages.table import PAGES

ROOT = Path(__file__).parents[3]


def test_a_build_leaves_the_checkout_clean() -> None:
    ignored = (ROOT / ".gitignore").read_text().splitlines()

    assert set(GitIgnore.DEFAULTS) <= set(ignored), "Reflex adds what is missing, and the next git pull stumbles over it"


def test_every_route_has_a_page_and_every_page_a_route() -> None:
    assert set(PAGES) == set(BY_PATH), "site_app/pages/table.py and site_app/content/routes.py name the same paths"
    assert len(ROUTES) == len(BY_PATH), "a path is listed twice in site_app/content/routes.py"
    assert set(LEGAL_PAGES) <= set(BY_PATH)


def test_no_function_of_a_page_has_the_name_of_a_module() -> None:
    """A module with the name of a page's function would replace it or be hidden by it."""
    modules = [module for _, module, _ in pkgutil.iter_modules(pages.__path__)]

    assert [name for name in modules if not isinstance(getattr(pages, name, pages), ModuleType)] == []


def test_tailwind_reads_the_classes_of_pages_and_of_the_states_that_choose_them() -> None:
    read = {file for pattern in rxconfig.CLASSES for file in ROOT.glob(pattern.removeprefix("../"))}

    for folder in ("components", "site_app/pages", "site_app/layout", "site_app/forms", "site_app/states"):
        assert set((ROOT / folder).rglob("*.py")) <= read


def test_the_redirects_lead_to_pages() -> None:
    assert set(REDIRECTS.values()) <= set(BY_PATH)


def test_titles_tags_and_descriptions_are_each_pages_own() -> None:
    for words in (
        [route.tag for route in ROUTES],
        [route.title() for route in ROUTES],
        [route.description() for route in ROUTES],
    ):
        assert len(set(words)) == len(ROUTES)


@pytest.mark.parametrize(
    "lock",
    [
        "requirements.txt",
        "requirements-build.txt",
        "requirements-dev.txt",
        "reflex.lock/package-lock.json",
        "package-lock.json",
        "tests/trials/bench/lighthouse/package-lock.json",
    ],
)
def test_a_lock_file_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()

    assert re.search(r"sha(256|512)[:-]", text)
    assert not re.search(r'"resolved"|--(extra-)?index-url|--find-links| @ (https?|file):', text)


def test_no_module_imports_from_a_conftest() -> None:
    """pytest loads each conftest itself; what tests import is in a module that says what it has."""
    lines = [line for file in (ROOT / "tests").rglob("*.py") for line in file.read_text().splitlines()]
    imports = [line for line in lines if re.match(r"\s*(from|import) tests\.", line)]

    assert imports
    assert [line for line in imports if re.search(r"\bconftest\b", line)] == []

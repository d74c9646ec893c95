"""An unchecked package is never reported as safe."""

from site_app.cli.advisories import first_of, holes_in

SAFE = {"name": "one", "version": "1", "vulns": []}
SKIPPED = {"name": "two", "skip_reason": "not found on PyPI"}
HOLED = {"name": "three", "version": "1", "vulns": [{"id": "CVE-1"}]}


def test_no_advisory_for_any_package_passes() -> None:
    assert holes_in([SAFE, SAFE]) == []


def test_a_skipped_package_means_not_checked() -> None:
    assert holes_in([SAFE, SKIPPED]) is None


def test_an_advisory_fails_even_if_packages_were_skipped() -> None:
    assert holes_in([HOLED, SKIPPED]) == ["three CVE-1"]


def test_the_first_package_of_a_lock_file_comes_with_its_hashes() -> None:
    lock = "# made by a tool\nalembic==1.2 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n    # via\nanyio==4 \\\n    --hash=sha256:cc\n"

    assert first_of(lock) == "alembic==1.2 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"

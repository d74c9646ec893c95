"""Every name that a test replaces exists: a renamed one would otherwise show only on machines that run that test."""

import ast
import pkgutil
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[2]


def test_every_name_that_a_test_replaces_exists() -> None:
    """Such as "site_app.client.transport.BODY_SECONDS" in monkeypatch.setattr("site_app.client.transport.BODY_SECONDS", 0.05)."""
    targets = {
        f"{file.relative_to(TESTS)}:{line} {target}": target
        for file in sorted(TESTS.rglob("*.py"))
        for line, target in _replaced(file)
    }

    assert targets
    assert [place for place, target in targets.items() if not _exists(target)] == []


def _replaced(file: Path) -> Iterator[tuple[int, str]]:
    """Yields the line and the dotted name of each call of setattr or delattr that gives the name as a string."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="setattr" | "delattr"), args=[ast.Constant(value=str(target)), *_], lineno=line
            ):
                yield line, target


def _exists(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True

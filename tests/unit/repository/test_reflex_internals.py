"""Reflex has every name that the guide to an upgrade lists, and no other private name of a package is used."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs/guide/upgrading-reflex.md"
INTERNALS = re.findall(r"^\| `((?:reflex|watchfiles)[\w.]+)`", GUIDE.read_text(), re.MULTILINE)
_NOT_OF_REFLEX = {"_asdict"}  # of every NamedTuple


@pytest.mark.parametrize("name", INTERNALS)
def test_a_name_inside_reflex_still_exists(name: str) -> None:
    assert _exists(name), f"{name} is gone: {GUIDE.relative_to(ROOT)} says where the site uses it, and why"


def test_every_private_name_of_a_package_is_in_the_guide() -> None:
    listed = {name.rpartition(".")[2] for name in INTERNALS}
    used = {name: file for file in _sources() for name in _foreign_names(file)}

    assert {name: file for name, file in used.items() if name not in listed} == {}
    assert {name for name in listed if name.startswith("_")} <= used.keys(), "the guide lists a name that is no longer used"


def _exists(name: str) -> bool:
    """Returns True for an attribute of a module or class, and for a field that only instances have."""
    owner, _, attribute = name.rpartition(".")
    try:
        holder = pkgutil.resolve_name(owner)
    except (ImportError, AttributeError):
        return False
    classes = inspect.getmro(holder) if inspect.isclass(holder) else ()
    return hasattr(holder, attribute) or any(attribute in inspect.get_annotations(kind) for kind in classes)


def _sources() -> list[Path]:
    return [file for folder in ("site_app", "components") for file in sorted((ROOT / folder).rglob("*.py"))]


def _foreign_names(file: Path) -> Iterator[str]:
    """Yields the private names of other projects that a file uses: attributes, also by getattr(); imports; keyword arguments."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()) if _is_private(name) and name not in _own_names():
                yield name
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]) if _is_private(name):
                yield name
            case ast.keyword(arg=str(name)) if _is_private(name):
                yield name
            case ast.ImportFrom(names=imported):
                yield from (name.name for name in imported if _is_private(name.name))


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in _NOT_OF_REFLEX


@cache
def _own_names() -> frozenset[str]:
    """Returns every name that this project gives to a function, class, variable or attribute."""
    return frozenset(name for file in _sources() for name in _given_names(file))


def _given_names(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name

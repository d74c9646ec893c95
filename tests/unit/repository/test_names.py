"""One name, one meaning: no two modules define a class or a type of the same name."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_names_of_classes_and_types_are_unique() -> None:
    modules = defaultdict[str, set[str]](set)
    for folder in ("site_app", "components"):
        for file in (ROOT / folder).rglob("*.py"):
            for name in type_names(ast.parse(file.read_text())):
                modules[name.lstrip("_")].add(file.relative_to(ROOT).as_posix())

    assert {name: places for name, places in modules.items() if len(places) > 1} == {}


def type_names(module: ast.Module) -> Iterator[str]:
    """Yields the names of a module's classes and of its types: `Name = …`, `type Name = …`."""
    for statement in module.body:
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
                pass
            case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if _is_camel_case(name):
                    yield name
            case _:
                if type(statement).__name__ == "TypeAlias":  # of Python 3.12 and later
                    yield statement.name.id  # type: ignore[attr-defined]


def _is_camel_case(name: str) -> bool:
    name = name.lstrip("_")
    return name[:1].isupper() and not name.isupper()

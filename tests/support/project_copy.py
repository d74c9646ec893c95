"""A copy of the project for a test or a trial to change, with the npm packages of this machine."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SOURCES = ("site_app", "components", "locales", "assets", "alembic", "reflex.lock")
_FILES = ("rxconfig.py", "pyproject.toml", "requirements-build.txt")


def project_copy(root: Path, *, pages: bool = False) -> Path:
    """Copies the sources and Reflex's generated files; with `pages` also the build."""
    root.mkdir(exist_ok=True)
    for name in _SOURCES:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in _FILES:
        shutil.copy(ROOT / name, root / name)
    left_out = ("node_modules", ".vite") if pages else ("node_modules", ".vite", "build")
    shutil.copytree(ROOT / ".web", root / ".web", symlinks=True, ignore=shutil.ignore_patterns(*left_out))
    (root / ".web" / "node_modules").symlink_to(ROOT / ".web" / "node_modules")
    return root


Run = Callable[..., subprocess.CompletedProcess[str]]

"""The measured servers: the site in production, floors beside it, and bare servers; and the programs that measure."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from tests.support import site_server as server
from tests.support.site_server import ROOT, Site, free_port
from tests.trials.lab.scorecard import NotRun
from tests.trials.lab.servers import Server
from tests.trials.lab.trial import MANY_VISITORS

CACHE = ROOT / ".cache/bench"
LIGHTHOUSE = Path(__file__).with_name("lighthouse")


def environment(**settings: str) -> dict[str, str]:
    """Returns the machine's environment with these settings alone; node comes from .venv."""
    variables = server.environment(settings)
    return variables | {"PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{variables['PATH']}"}


def version_of(command: Sequence[str], pattern: str) -> str:
    """Returns the version that a program reports."""
    process = subprocess.run(command, capture_output=True, text=True, env=environment())
    match = re.search(pattern, process.stdout + process.stderr)
    return match[1] if match else "unknown"


def lighthouse() -> Path:
    """Returns the folder whose node_modules holds Lighthouse, as pinned by the lock file."""
    folder = CACHE / "lighthouse"
    lock = LIGHTHOUSE / "package-lock.json"
    if not (folder / "installed.json").exists() or (folder / "installed.json").read_bytes() != lock.read_bytes():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LIGHTHOUSE / name, folder)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        process = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=600)
        if process.returncode:
            raise NotRun(f"Lighthouse cannot be had: npm said {process.stderr.strip()[-300:]}")
        shutil.copy(lock, folder / "installed.json")
    return folder


CLIENT = ROOT / ".web/build/client"
# The pages as built for the public; they work on any port.
BUILT_FOR = {"SITE_URL": "http://localhost:3000", "SITE_PRODUCTION": "true", "SITE_ALLOW_SAMPLES": "true"}
_SETTINGS = MANY_VISITORS | {
    "SITE_LIMIT_EVENTS": "1000000",
    "SITE_LIMIT_SOCKETS": "100000",
    "SITE_LIMIT_ALL_SOCKETS": "100000",
    "SITE_LOG_LEVEL": "error",
}


def build_site() -> None:
    """Builds the pages for the public, unless the build is current."""
    command = [sys.executable, "-m", "site_app", "build"]
    process = subprocess.run(command, cwd=ROOT, env=environment(**BUILT_FOR), capture_output=True, text=True)
    if process.returncode:
        raise RuntimeError(f"the build failed: {process.stderr[-2000:]}")


@contextmanager
def site(folder: Path, *, root: Path = ROOT, variables: Mapping[str, str] | None = None) -> Iterator[Site]:
    """Runs the site itself, in production; its database is in `folder`. `variables` are further ones of its environment."""
    port = free_port()
    running = Site(port, folder / f"var{port}", _SETTINGS | dict(variables or {}))
    running.root = root
    try:
        yield running.start()
    finally:
        running.stop()


def without_development_packages(folder: Path) -> dict[str, str]:
    """Returns variables that hide the packages which `make serve` does not install, such as `requests`: libraries import them if they can."""
    served = {
        canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    }
    hidden = [
        module
        for module, packages in packages_distributions().items()
        if served.isdisjoint(canonicalize_name(package) for package in packages)
    ]
    packages = folder / "hidden"
    packages.mkdir()
    # Python imports this module at its start; a module that is None cannot be imported.
    (packages / "sitecustomize.py").write_text(f"import sys\nsys.modules |= dict.fromkeys({sorted(hidden)})\n")
    return {"PYTHONPATH": str(packages)}


def staged_pages(folder: Path, extra: Mapping[str, bytes]) -> Path:
    """Returns a root for the same site with more files among its pages."""
    stage = folder / "stage"
    (stage / ".web/build").mkdir(parents=True)
    for source, excluded in ((ROOT, (".web", ".git", ".cache", "var")), (ROOT / ".web", ("build",))):
        for file in source.iterdir():
            if file.name not in excluded:
                (stage / file.relative_to(ROOT)).symlink_to(file)
    client = stage / ".web/build/client"
    shutil.copytree(CLIENT, client)
    for path, content in extra.items():
        (client / path).parent.mkdir(parents=True, exist_ok=True)
        (client / path).write_bytes(content)
    return stage


def bare_server(folder: Path, target: str, **settings: str) -> Server:
    """Runs the site's server with one worker and another application."""
    port = free_port()
    options = ["--interface", "asgi", "--factory", "--no-access-log", "--log-level", "error", "--backpressure", "1024"]
    command = [sys.executable, "-m", "granian", *options, "--host", "127.0.0.1", "--port", str(port), target]
    return Server(f"granian{port}", command, folder, port, cwd=ROOT, **settings)


def page_paths(client: Path = CLIENT) -> list[str]:
    """Returns the clean address of every built page."""
    files = sorted(client.rglob("index.html"))
    return ["/" + file.parent.relative_to(client).as_posix().removeprefix(".") for file in files]

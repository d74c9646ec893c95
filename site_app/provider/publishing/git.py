"""Publishing by git: the changed files become a commit with the editor's name on a branch of SITE_PUBLISH_REMOTE.

A bare repository in SITE_VAR holds the fetched commits. Nothing is ever checked out, and neither hooks nor this machine's git
configuration are used.
"""

import asyncio
import os
import re
import signal
from asyncio.subprocess import PIPE
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from site_app.core.published_pages import publishing_folder
from site_app.core.settings import Settings

_FOLDER = "site_app/content"  # of the texts, in the repository
_MAX_PUSH_SECONDS = 90.0
_TRIES = 3  # somebody else may push between our fetch and our push
_FILE_MODE, _NO_MODE, _NO_OBJECT = "100644", "0", "0" * 40
_REF, _REMOTE = "refs/heads/fetched", "office"
_NO_SUCH_BRANCH = "couldn't find remote ref"
_PUSH_CONFLICTS = ("non-fast-forward", "fetch first", "stale info", "cannot lock ref", "failed to update ref")
_NOT_IN_NAMES = re.compile(r"[^\w .@+-]")
_MAX_SUBJECT_LENGTH = 72
_KEY_IN_ADDRESS = re.compile(r"//[^/@\s]*@")


class NotPushed(Exception):
    """The commit could not be made or pushed; the message says why, without the key in the address."""


class _Overtaken(NotPushed):
    """Somebody else has pushed in the meantime."""


async def push(settings: Settings, changes: Mapping[str, bytes | None], *, person: str) -> None:
    """Commits these files and pushes the commit. Does nothing if the branch has them already."""
    repository = publishing_folder(settings.var) / "repository.git"
    git = _Git(repository, settings, person)
    if not (repository / "HEAD").is_file():
        repository.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        await git("init", "--quiet", "--bare", "--template=", str(repository), place=repository.parent)
    for _ in range(_TRIES):
        with suppress(_Overtaken):
            return await _push_once(git, settings.publish_branch, changes)
    raise NotPushed("Others pushed to the branch at the same time: publish again.")


async def _push_once(git: "_Git", branch: str, changes: Mapping[str, bytes | None]) -> None:
    parent = await _fetch(git, branch)
    await git("read-tree", *([parent] if parent else ["--empty"]))
    entries = [await _entry(git, path, content) for path, content in changes.items()]
    await git("update-index", "--index-info", text="".join(entries).encode())
    tree = await git("write-tree")
    if parent and tree == await git("rev-parse", f"{parent}^{{tree}}"):
        return
    parents = ["-p", parent] if parent else []
    commit = await git("commit-tree", tree, *parents, text=_message(list(changes)).encode())
    await git("push", "--quiet", _REMOTE, f"{commit}:refs/heads/{branch}")


async def _fetch(git: "_Git", branch: str) -> str:
    """Fetches the branch and returns its newest commit, or "" if the branch does not exist yet."""
    try:
        await git("fetch", "--quiet", "--no-tags", "--depth=1", _REMOTE, f"+refs/heads/{branch}:{_REF}")
    except NotPushed as failure:
        if _NO_SUCH_BRANCH in str(failure):
            return ""
        raise
    return await git("rev-parse", _REF)


async def _entry(git: "_Git", path: str, content: bytes | None) -> str:
    """Stores the content of a file, and returns the file's line for the index."""
    if content is None:
        return f"{_NO_MODE} {_NO_OBJECT}\t{_FOLDER}/{path}\n"
    return f"{_FILE_MODE} {await git('hash-object', '-w', '--stdin', text=content)}\t{_FOLDER}/{path}\n"


def _message(paths: Sequence[str]) -> str:
    subject = f"Publish {', '.join(paths)}"
    if len(subject) <= _MAX_SUBJECT_LENGTH:
        return f"{subject}\n"
    return "\n".join([f"Publish {len(paths)} files", "", *paths, ""])


class _Git:
    """Runs git in one repository, for one person."""

    def __init__(self, repository: Path, settings: Settings, person: str) -> None:
        self._repository = repository
        options = {
            f"remote.{_REMOTE}.url": settings.publish_remote,  # here and not as an argument, which others on this machine can read
            "core.hooksPath": "/dev/null",
            "core.fsmonitor": "false",
            "credential.helper": "",
            "gc.auto": "0",
            "safe.directory": "*",
        }
        name = _NOT_IN_NAMES.sub("", person).strip() or "office"
        mail = person if "@" in person else settings.brand_email
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "SSH_AUTH_SOCK", "SSL_CERT_FILE", "TMPDIR") if name in os.environ},
            **{f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(options)},
            **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(options.values())},
            "GIT_CONFIG_COUNT": str(len(options)),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_INDEX_FILE": str((repository / "office-index").absolute()),
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ALLOW_PROTOCOL": "https:ssh:file",
            "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": _NOT_IN_NAMES.sub("", mail),
            "GIT_COMMITTER_NAME": settings.brand_name,
            "GIT_COMMITTER_EMAIL": settings.brand_email,
            "HOME": str(repository.parent.absolute()),
            "LC_ALL": "C",
        }

    async def __call__(self, *arguments: str, text: bytes = b"", place: Path | None = None) -> str:
        """Returns the command's output. Raises NotPushed with the last lines of its errors if it fails, and kills it if it takes too long."""
        try:
            process = await asyncio.create_subprocess_exec(
                "git", *arguments, cwd=place or self._repository, env=self._environment,
                stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True,
            )  # fmt: skip
        except FileNotFoundError:
            raise NotPushed("There is no git on this machine.") from None
        try:
            async with asyncio.timeout(_MAX_PUSH_SECONDS):
                output, errors = await process.communicate(text)
        except TimeoutError:
            raise NotPushed(f"The git repository did not answer within {_MAX_PUSH_SECONDS:.0f} seconds.") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        if process.returncode:
            error_text = _KEY_IN_ADDRESS.sub("//…@", errors.decode("utf-8", "replace")).strip()
            is_overtaken = arguments[0] == "push" and any(words in error_text for words in _PUSH_CONFLICTS)
            last_lines = " ".join(error_text.splitlines()[-3:])[-500:]
            raise (_Overtaken if is_overtaken else NotPushed)(f"git {arguments[0]} failed: {last_lines}")
        return output.decode("utf-8", "replace").strip()

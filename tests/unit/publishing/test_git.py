"""Publishing by git: a commit with the editor's name on a branch of a remote, without this machine's hooks and settings."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from site_app.core.settings import Settings, load
from site_app.provider.publishing import git
from site_app.provider.publishing.git import NotPushed, push
from site_app.provider.store.tables import BuildState
from tests.unit.publishing.publisher import Make

pytestmark = pytest.mark.anyio
Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "developer"),
        **{f"GIT_{role}_{field}": "dev@example.com" for role in ("AUTHOR", "COMMITTER") for field in ("NAME", "EMAIL")},
    }

    def run(*arguments: str, place: Path = tmp_path) -> str:
        command = ["git", "-c", "init.defaultBranch=main", *arguments]
        return subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True, text=True).stdout.strip()

    return run


@pytest.fixture
def remote(tmp_path: Path, run: Run) -> Path:
    """Returns a bare repository whose branch main has a text and something else."""
    run("init", "--bare", "remote.git")
    run("init", "clone")
    texts = tmp_path / "clone/site_app/content/articles"
    texts.mkdir(parents=True)
    for file in (texts / "a.md", texts / "gone.md", tmp_path / "clone/other.py"):
        file.write_text("old")
    run("add", ".", place=tmp_path / "clone")
    run("commit", "-m", "First", place=tmp_path / "clone")
    run("push", str(tmp_path / "remote.git"), "main", place=tmp_path / "clone")
    return tmp_path / "remote.git"


def settings_for(remote: Path | str, tmp_path: Path, **options: str) -> Settings:
    environment = {"SITE_PUBLISH": "git", "SITE_PUBLISH_REMOTE": str(remote), "SITE_VAR": str(tmp_path / "var")}
    return load(environment | options)


CHANGES = {"articles/a.md": b"new", "articles/b.th.md": b"\xe0\xb9\x84", "articles/gone.md": None}


async def test_the_files_are_committed_with_the_editors_name_and_nothing_else_changes(
    tmp_path: Path, remote: Path, run: Run
) -> None:
    await push(settings_for(remote, tmp_path), CHANGES, person="ada@example.com")

    commit = run("log", "-1", "--format=%an|%ae|%cn|%s", "main", place=remote)
    changed = run("diff", "--name-status", "main~1", "main", place=remote).split("\n")
    assert commit == "ada@example.com|ada@example.com|Plumbline|Publish articles/a.md, articles/b.th.md, articles/gone.md"
    assert changed == [
        "M\tsite_app/content/articles/a.md",
        "A\tsite_app/content/articles/b.th.md",
        "D\tsite_app/content/articles/gone.md",
    ]
    assert run("show", "main:site_app/content/articles/a.md", place=remote) == "new"
    assert run("show", "main:other.py", place=remote) == "old"


async def test_a_commit_builds_on_those_of_others_and_unchanged_files_make_none(tmp_path: Path, remote: Path, run: Run) -> None:
    settings = settings_for(remote, tmp_path)
    await push(settings, {"articles/a.md": b"new"}, person="ada@example.com")
    run("pull", str(remote), "main", place=tmp_path / "clone")
    (tmp_path / "clone/other.py").write_text("newer")
    run("commit", "-am", "Other", place=tmp_path / "clone")
    run("push", str(remote), "main", place=tmp_path / "clone")

    for _ in range(2):
        await push(settings, {"articles/c.md": b"third"}, person="bo@example.com")

    assert run("log", "--format=%s", "main", place=remote).split("\n") == [
        *("Publish articles/c.md", "Other", "Publish articles/a.md", "First"),
    ]
    assert run("show", "main:other.py", place=remote) == "newer"


async def test_a_push_that_is_overtaken_is_tried_again(
    tmp_path: Path, remote: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch, overtakes = git._fetch, [True]

    async def fetch_then_overtaken(*arguments: git._Git) -> str:
        commit = await fetch(*arguments)  # pyright: ignore
        if overtakes.pop() if overtakes else False:
            (tmp_path / "clone/other.py").write_text("meanwhile")
            run("commit", "-am", "Meanwhile", place=tmp_path / "clone")
            run("push", str(remote), "main", place=tmp_path / "clone")
        return commit

    monkeypatch.setattr(git, "_fetch", fetch_then_overtaken)

    await push(settings_for(remote, tmp_path), {"articles/a.md": b"new"}, person="ada@example.com")

    assert run("log", "--format=%s", "main", place=remote).split("\n") == ["Publish articles/a.md", "Meanwhile", "First"]


async def test_a_missing_branch_is_created(tmp_path: Path, remote: Path, run: Run) -> None:
    await push(settings_for(remote, tmp_path, SITE_PUBLISH_BRANCH="office/texts"), CHANGES, person="ada@example.com")

    assert run("log", "--format=%s", "office/texts", place=remote).startswith("Publish articles/a.md")


async def test_neither_hooks_nor_settings_of_this_machine_are_run(
    tmp_path: Path, remote: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, ran = tmp_path / "home", tmp_path / "ran"
    (home / "hooks").mkdir(parents=True)
    for hook in ("pre-push", "pre-commit", "post-commit", "reference-transaction", "post-index-change"):
        (home / "hooks" / hook).write_text(f"#!/bin/sh\necho {hook} >> {ran}\n")
        (home / "hooks" / hook).chmod(0o755)
    (home / ".gitconfig").write_text(f"[core]\nhooksPath = {home}/hooks\n[user]\nname = Server\n")
    for name, value in {"HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"), "GIT_DIR": "/nowhere"}.items():
        monkeypatch.setenv(name, value)

    await push(settings_for(remote, tmp_path), CHANGES, person="Ada <script>\n")

    assert not ran.exists()
    assert run("log", "-1", "--format=%an|%ae", "main", place=remote) == "Ada script|hello@plumbline.example.com"


async def test_a_refusal_is_reported_without_the_key(tmp_path: Path) -> None:
    settings = settings_for("https://site:hunter2@127.0.0.1:1/site.git", tmp_path)

    with pytest.raises(NotPushed) as refused:
        await push(settings, CHANGES, person="ada@example.com")

    assert "hunter2" not in str(refused.value)
    assert "127.0.0.1" in str(refused.value)
    files = [file for file in (tmp_path / "var").rglob("*") if file.is_file()]
    assert files
    assert all("hunter2" not in file.read_text(errors="replace") for file in files)


async def test_a_request_is_committed_and_the_content_of_this_machine_stays(make: Make, remote: Path, run: Run) -> None:
    publisher = make(SITE_PUBLISH="git", SITE_PUBLISH_REMOTE=str(remote))
    publisher.text("a.md", "old")
    await publisher.builder.prepare()
    await publisher.request({"articles/a.md": b"new"})

    assert await publisher.builder.run_next()

    assert (await publisher.latest()).state == BuildState.DONE
    assert run("show", "main:site_app/content/articles/a.md", place=remote) == "new"
    assert (publisher.settings.content_folder / "articles/a.md").read_text() == "old"


async def test_translations_are_committed_beside_the_texts(make: Make, remote: Path, run: Run) -> None:
    publisher = make(SITE_PUBLISH="git", SITE_PUBLISH_REMOTE=str(remote))
    await publisher.request({"translations/th.po": b"words"})

    assert await publisher.builder.run_next()

    assert run("show", "main:site_app/content/translations/th.po", place=remote) == "words"


async def test_a_remote_that_is_gone_fails_the_build_with_a_sentence(make: Make, tmp_path: Path) -> None:
    publisher = make(SITE_PUBLISH="git", SITE_PUBLISH_REMOTE=str(tmp_path / "gone.git"))
    await publisher.request({"articles/a.md": b"new"})

    await publisher.builder.run_next()

    build = await publisher.latest()
    assert build.state == BuildState.FAILED
    assert "git fetch failed" in build.problem

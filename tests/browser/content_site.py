"""A site whose texts are published to a git repository."""

import shutil
import subprocess
from pathlib import Path

from tests.support.site_server import PATIENT, ROOT, Site, free_port

EDITOR = "di@example.com"


class ContentSite:
    """A site that publishes to a repository of its own, and that repository. Deploying takes its files, as CI would."""

    def __init__(self, folder: Path) -> None:
        self.content, self.remote = folder / "content", folder / "remote.git"
        for name in ("articles", "case_studies"):
            shutil.copytree(ROOT / "site_app/content" / name, self.content / name)
        clone = folder / "clone"
        shutil.copytree(self.content, clone / "site_app/content")
        author = ("-c", "user.name=Dev", "-c", "user.email=dev@example.com")
        self._git("init", "-q", "--bare", "-b", "main", str(self.remote))
        self._git("init", "-q", "-b", "main", place=clone)
        self._git("add", ".", place=clone)
        self._git(*author, "commit", "-qm", "First", place=clone)
        self._git("push", "-q", str(self.remote), "main", place=clone)
        settings = {
            "SITE_OFFICE": f"{EDITOR}:editor",
            "SITE_CONTENT": str(self.content),
            "SITE_PUBLISH": "git",
            "SITE_PUBLISH_REMOTE": str(self.remote),
            "SITE_LIMIT_SIGN_IN": "1000/minute",
            "SITE_LIMIT_READS": "100000/minute",
        }
        self.site = Site(free_port(), folder / "var", PATIENT | settings)

    def deploy(self) -> list[str]:
        """Takes the files of the repository, and returns their paths."""
        names = self._git("ls-tree", "-r", "--name-only", "main", place=self.remote).decode().split()
        for name in names:
            file = self.content / name.removeprefix("site_app/content/")
            file.write_bytes(self._git("show", f"main:{name}", place=self.remote))
        return names

    def published(self, name: str) -> str:
        return self._git("show", f"main:site_app/content/case_studies/{name}", place=self.remote).decode()

    def _git(self, *arguments: str, place: Path = ROOT) -> bytes:
        return subprocess.run(["git", *arguments], cwd=place, check=True, capture_output=True).stdout

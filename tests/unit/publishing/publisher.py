"""A site that publishes from a small checkout, with a program in the place of the build."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlmodel import Session

from site_app.core.settings import Settings, load
from site_app.core.settings.rules import ROOT
from site_app.provider.publishing import builds
from site_app.provider.publishing.builder import Builder
from site_app.provider.store import Store
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Build

# Prints phases as the build does. A text with BROKEN stops it, SLOW makes it wait, PRINT_ENVIRONMENT has it write its environment.
FAKE_BUILD = """
import hashlib, json, os, sys, time
from pathlib import Path

print("  0 s  Python is compiled to JavaScript", flush=True)
texts = "\\n".join(file.read_text() for file in sorted(Path(os.environ["SITE_CONTENT"]).rglob("*.[mp][do]")))
if "BROKEN" in texts:
    sys.exit("The pages are not built:\\narticles/a.md, line 2: title: it is missing.")
if "SLOW" in texts:
    Path("slow-build").write_text(str(os.getpid()))
    time.sleep(60)
if "FULL" in texts:
    sys.exit("OSError: [Errno 28] No space left on device")
built = Path(".web/build")
for folder in ("assets", "manifests"):
    (built / "client" / folder).mkdir(parents=True, exist_ok=True)
    (built / f"client/{folder}/app-{hashlib.sha256(texts.encode()).hexdigest()[:8]}.js").write_text(texts)
(built / "client/index.html").write_text(f"<html><head></head><body>{texts}</body></html>")
(built / "tags.json").write_text(json.dumps({"/": "home", **{f"/{line}": line for line in texts.split()}}))
if "PRINT_ENVIRONMENT" in texts:
    (built / "client/environment.json").write_text(json.dumps(dict(os.environ)))
code = Path("made-for").read_text()
(built / "built-with.json").write_text(json.dumps({"code": code, "content": hashlib.sha256(texts.encode()).hexdigest()}))
print("  1 s  every page is checked", flush=True)
"""


@dataclass
class Publisher:
    """A site that publishes: its settings, database and builder, and where its texts are."""

    settings: Settings
    store: Store
    checkout: Path
    builder: Builder

    def text(self, name: str, words: str) -> None:
        file = self.settings.content_folder / "articles" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(words)

    async def request(self, changes: dict[str, bytes | None], not_before: datetime | None = None) -> None:
        def request(session: Session) -> None:
            builds.request(session, changes, Actor("ada@example.com", datetime.now(UTC)), not_before=not_before)

        await self.store.write(request)

    async def latest(self) -> Build:
        return (await self.store.read(lambda session: builds.latest(session, 1)))[0]

    def another(self) -> Builder:
        return Builder(
            self.store, self.settings, checkout=self.checkout, command=(sys.executable, str(self.checkout / "fake_build.py"))
        )


def make_publisher(tmp_path: Path, store: Store, extra_settings: dict[str, str] | None = None) -> Publisher:
    checkout = tmp_path / "checkout"
    for module in ("site_app/provider/publishing/limited_process.py", "site_app/core/process_limits.py"):
        (checkout / module).parent.mkdir(parents=True)
        shutil.copy(ROOT / module, checkout / module)
    (checkout / "fake_build.py").write_text(FAKE_BUILD)
    (checkout / "assets").mkdir()
    (checkout / "assets/icon.svg").write_text("<svg/>")
    settings = load(
        {
            "SITE_VAR": str(tmp_path / "var"),
            "SITE_CONTENT": str(tmp_path / "content"),
            "SITE_PUBLISH": "build",
            **(extra_settings or {}),
        }
    )
    publisher = Publisher(settings, store, checkout, Builder(store, settings))
    publisher.builder = publisher.another()
    return publisher


Make = Callable[..., Publisher]

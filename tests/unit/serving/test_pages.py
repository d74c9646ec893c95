"""Published pages take the place of the earlier ones in a process that runs, and an older release's pages hide nothing."""

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from site_app.core.published_pages import (
    SourceDigests,
    pages_folder,
    pointer_file,
    published_folder,
    write_manifest,
    write_page_tags,
)
from site_app.core.settings import Settings, load
from site_app.serving import pages
from site_app.serving.pages import ServedPages
from site_app.serving.site import Site

pytestmark = pytest.mark.anyio
CODE = "the code of this test"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(pages, "code_digest", lambda _: CODE)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load({"SITE_VAR": str(tmp_path / "var")})


def write(folder: Path, words: str, *, code: str = CODE, earlier: str = "", page_paths: tuple[str, ...] = ()) -> Path:
    for path in ("", *page_paths):
        (folder / "client" / path).mkdir(parents=True, exist_ok=True)
        (folder / "client" / path / "index.html").write_text(f"<html><body>{words}</body></html>")
    (folder / "client/assets").mkdir()
    (folder / f"client/assets/{words}.js").write_text(words)
    (folder / "client/robots.txt").write_text("the same for all")
    if earlier:
        (folder / "earlier/assets").mkdir(parents=True)
        (folder / f"earlier/assets/{earlier}.js").write_text(earlier)
        (folder / "earlier/manifests").mkdir()
        (folder / f"earlier/manifests/{earlier}.js").write_text(earlier)
        (folder / "earlier/old.html").write_text("no asset")
    write_page_tags(folder, {"/": "home", **{f"/{path}": path for path in page_paths}})
    write_manifest(folder, SourceDigests(code, words), {})
    return folder


def publish(settings: Settings, name: str, words: str, **options: object) -> None:
    write(pages_folder(settings.var) / name, words, **options)  # pyright: ignore
    draft = pointer_file(settings.var).with_name("draft")
    draft.write_text(name)
    draft.replace(pointer_file(settings.var))


def body(served: ServedPages, path: str = "/") -> str:
    file = served.files.get(path)
    return file.plain.body.decode() if file else ""


async def until(served: ServedPages, words: str) -> None:
    for _ in range(300):
        if words in body(served):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{words} was not taken")


async def test_the_pages_published_last_are_served_before_the_built_ones(tmp_path: Path, settings: Settings) -> None:
    write(tmp_path / "built", "built")
    served = ServedPages(settings, built=tmp_path / "built")
    served.load()
    assert "built" in body(served)

    publish(settings, "1-1", "first")
    served.load()

    assert "first" in body(served)


async def test_pages_of_other_code_are_not_served(tmp_path: Path, settings: Settings) -> None:
    write(tmp_path / "built", "built")
    publish(settings, "1-1", "older", code="older code")
    served = ServedPages(settings, built=tmp_path / "built")

    served.load()
    following = asyncio.create_task(served.follow())
    publish(settings, "2-1", "older too", code="older code")
    await asyncio.sleep(0.1)
    assert "built" in body(served)

    publish(settings, "3-1", "right")
    await until(served, "right")
    following.cancel()


@pytest.mark.parametrize("name", ["../1-1", "gone", "", "..", "1-1/client"])
async def test_a_pointer_that_names_no_pages_is_ignored(tmp_path: Path, settings: Settings, name: str) -> None:
    write(tmp_path / "built", "built")
    publish(settings, "1-1", "first")
    pointer_file(settings.var).write_text(name)

    served = ServedPages(settings, built=tmp_path / "built")
    served.load()

    assert published_folder(settings.var) is None
    assert "built" in body(served)


async def test_translations_change_together_with_the_pages(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "built", "built")
    bodies = list[str]()
    served = ServedPages(settings, built=tmp_path / "built")
    served.load()
    monkeypatch.setattr("site_app.serving.pages.reload_changed_catalogs", lambda: bodies.append(body(served)))
    following = asyncio.create_task(served.follow())
    publish(settings, "1-1", "first")
    await until(served, "first")

    following.cancel()
    assert len(bodies) == 1
    assert "built" in bodies[0]


async def test_pages_are_exchanged_with_their_tags_and_earlier_assets_stay(tmp_path: Path, settings: Settings) -> None:
    write(tmp_path / "built", "built")
    tags = {"/": "home"}
    served = ServedPages(settings, tags, built=tmp_path / "built")
    served.load()
    robots_before, live_tags = served.files["/robots.txt"], served.tags
    following = asyncio.create_task(served.follow())

    publish(settings, "1-1", "first", earlier="built", page_paths=("new",))
    await until(served, "first")

    following.cancel()
    assert live_tags == {"/": "home", "/new": "new"}
    assert served.files["/new"].is_page
    assert [body(served, f"/assets/{name}.js") for name in ("first", "built")] == ["first", "built"]
    assert body(served, "/manifests/built.js") == "built"
    assert "/old.html" not in served.files
    assert served.files["/robots.txt"] is robots_before


async def test_a_folder_that_is_removed_while_it_is_read_is_tried_again(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "built", "built")
    served = ServedPages(settings, built=tmp_path / "built")
    served.load()
    load_site, failures = pages.load_site, [OSError("gone")]

    def fail_once(*arguments: object, **options: object) -> object:
        if failures:
            raise failures.pop()
        return load_site(*arguments, **options)  # pyright: ignore

    monkeypatch.setattr(pages, "load_site", fail_once)
    following = asyncio.create_task(served.follow())
    publish(settings, "1-1", "first")

    await until(served, "first")
    following.cancel()


async def test_no_request_is_dropped_while_pages_are_exchanged(tmp_path: Path, settings: Settings) -> None:
    """Every answer is whole: a page, and the script of the same pages."""
    write(tmp_path / "built", "built")
    served = ServedPages(settings, built=tmp_path / "built")
    served.load()

    async def backend(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("no request goes to the backend")

    site = Site(backend=backend, api=backend, pages=served, settings=settings)
    following, responses = asyncio.create_task(served.follow()), []
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url=settings.url) as client:
        for number in range(8):
            earlier = f"pages{number - 1}" if number else "built"
            publish(settings, f"{number}-1", f"pages{number}", earlier=earlier)
            for _ in range(20):
                page = await client.get("/")
                words = page.text.removeprefix("<html><body>").removesuffix("</body></html>")
                responses.append((page.status_code, (await client.get(f"/assets/{words}.js")).text == words))
                await asyncio.sleep(0.002)
    following.cancel()

    assert set(responses) == {(200, True)}
    assert "pages7" in body(served)

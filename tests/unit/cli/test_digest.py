"""A build is skipped only if none of its inputs has changed."""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from site_app.cli.build import changed_since, is_current, mark
from site_app.content.publications.measurements import MEASUREMENTS
from site_app.core.published_pages import (
    BUILT,
    CLIENT,
    MANIFEST_FILE,
    SourceDigests,
    pages_folder,
    pointer_file,
    source_digests,
    write_manifest,
)
from site_app.core.settings import Settings


@pytest.fixture(autouse=True)
def _sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site_app").mkdir()
    (tmp_path / "site_app" / "page.py").write_text("one")


def compiled(page: Path) -> None:
    (page.parent / "__pycache__").mkdir()
    (page.parent / "__pycache__" / "page.pyc").write_text("x")


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        (lambda page: os.utime(page, (1, 1)), False),
        (compiled, False),
        (lambda page: page.write_text("two"), True),
        (lambda page: page.rename(page.with_name("other.py")), True),
    ],
    ids=["a time stamp", "compiled Python", "a word", "a name"],
)
def test_only_names_and_contents_of_sources_change_their_digest(change: Callable[[Path], object], counts: bool) -> None:
    sources_before = source_digests(Settings())

    change(Path("site_app/page.py"))

    assert (source_digests(Settings()) != sources_before) is counts


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({"brand_name": "Other"}, True),
        ({"keep_leads": timedelta(days=60)}, True),
        ({"booking_length": timedelta(hours=1)}, True),
        ({"booking_holidays": "TH"}, True),
        ({"booking_room": "https://video.example.com/room"}, True),
        ({"theme": "system"}, True),
        ({"port": 4000}, False),
        ({"booking_buffer": timedelta(hours=1)}, False),
    ],
)
def test_settings_of_pages_change_the_digest_and_those_of_the_server_do_not(changes: dict[str, object], counts: bool) -> None:
    assert (source_digests(replace(Settings(), **changes)) != source_digests(Settings())) is counts


def test_the_content_of_npms_lock_changes_the_digest_and_its_order_does_not() -> None:
    Path("reflex.lock").mkdir()
    lock = Path("reflex.lock/package.json")
    marks = []
    for text in ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', '{"b": 2, "a": 3}'):
        lock.write_text(text)
        marks.append(source_digests(Settings()))

    assert marks[0] == marks[1] != marks[2]


def test_a_build_is_current_until_a_source_changes() -> None:
    Path(".web/build").mkdir(parents=True)
    current_before = is_current(Settings())
    mark(source_digests(Settings()), Settings())
    current_after = is_current(Settings())
    Path("site_app/page.py").write_text("two")

    assert (current_before, current_after, is_current(Settings())) == (False, True, False)


def test_new_figures_make_a_build_out_of_date() -> None:
    figures = Path(*MEASUREMENTS.parts[MEASUREMENTS.parts.index("site_app") :])
    figures.parent.mkdir(parents=True)
    figures.write_text('{"home_kb": 29}')
    Path(".web/build").mkdir(parents=True)
    mark(source_digests(Settings()), Settings())
    current_before = is_current(Settings())

    figures.write_text('{"home_kb": 30}')

    assert (current_before, is_current(Settings())) == (True, False)


def test_settings_changed_since_the_build_are_named_with_their_old_value() -> None:
    Path(".web/build").mkdir(parents=True)
    service = "https://country.example.com/{address}?key=secret"
    chat = "slack=https://hooks.slack.com/secret all"
    mark(SourceDigests("code", "content"), Settings(keep_leads=timedelta(days=60), country_lookup_url=service, notify=chat))

    changed = changed_since(Settings(keep_leads=timedelta(days=90), port=4000))

    assert changed == {"SITE_KEEP_LEADS": "60d", "SITE_COUNTRY_LOOKUP_URL": "set", "SITE_NOTIFY": "slack"}
    assert "secret" not in (BUILT / MANIFEST_FILE).read_text()


def test_nothing_is_reported_about_pages_built_elsewhere() -> None:
    assert changed_since(Settings(keep_leads=timedelta(days=90))) == {}


def test_pages_of_this_code_are_current_with_the_texts_published_since(tmp_path: Path) -> None:
    settings = Settings(var=tmp_path / "var", content=tmp_path / "content")
    (tmp_path / "content/articles").mkdir(parents=True)
    Path(".web/build").mkdir(parents=True)
    mark(source_digests(settings), settings)
    (tmp_path / "content/articles/a.md").write_text("published later")
    current_before = is_current(settings)

    folder = pages_folder(settings.var) / "1-1"
    (folder / CLIENT).mkdir(parents=True)
    (folder / CLIENT / "index.html").touch()
    write_manifest(folder, source_digests(settings), {})
    pointer_file(settings.var).write_text("1-1")
    current_after = is_current(settings)
    (tmp_path / "content/articles/a.md").write_text("changed by hand")

    assert (current_before, current_after, is_current(settings)) == (False, True, False)
    Path("site_app/page.py").write_text("two")
    write_manifest(folder, source_digests(settings), {})
    assert not is_current(settings), "the checkout itself is to be built after a change of code"

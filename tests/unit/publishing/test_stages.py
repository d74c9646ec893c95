"""Stages of texts: the list and the editor say the same of each, also where a file was written outside the office."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlmodel import Session

from site_app.core.settings import load
from site_app.provider.publishing import drafts, stages
from site_app.provider.publishing.drafts import TextKey, set_draft_mark, summary_of
from site_app.provider.publishing.stages import Stage
from site_app.provider.store.audit_log import Actor

NOW = datetime(2030, 1, 2, 12, tzinfo=UTC)
ADA = Actor("ada@example.com", NOW)
ENGLISH, THAI = TextKey("article", "estimates"), TextKey("article", "estimates", "th")
TEXT = "---\ntitle: Estimates\ndate: 2026-05-01\n---\nFirst.\n"
CHANGED_TEXT = TEXT.replace("First", "1st")
OTHER_TEXT = TEXT.replace("First", "Elsewhere")
HIDDEN_TEXT = set_draft_mark(TEXT, is_draft=True)


@pytest.fixture
def save(session: Session) -> Callable[..., None]:
    def save(key: TextKey, *texts: str) -> None:
        base = ""
        for text in texts:
            drafts.save(session, key, text, ADA, base=base, published_text=None)
            base = summary_of(text).digest

    return save


def stage_in_list(session: Session, files: dict[TextKey, str], key: TextKey) -> str:
    """Returns the stage of a text in the list of all publications."""
    (entry,) = (
        entry
        for entry in stages.listed_stages(
            session, {key: summary_of(text) for key, text in files.items()}, now=NOW, today=NOW.date()
        )
        if entry.slug == key.slug
    )
    return entry.languages[key.language]


def stage_in_editor(session: Session, files: dict[TextKey, str], key: TextKey) -> str:
    """Returns the stage of a text as its editor shows it."""
    current = drafts.current(session, key, files.get(key))
    return stages.language_stage(files.get(key), files.get(ENGLISH), current.text if current else None)


@pytest.mark.parametrize(
    ("files", "saved", "english", "thai"),
    [
        ({ENGLISH: TEXT}, {}, Stage.PUBLISHED, Stage.MISSING),
        ({}, {ENGLISH: [TEXT]}, Stage.DRAFT, Stage.MISSING),
        ({ENGLISH: HIDDEN_TEXT}, {ENGLISH: [TEXT]}, Stage.DRAFT, Stage.MISSING),
        ({ENGLISH: HIDDEN_TEXT, THAI: TEXT}, {}, Stage.DRAFT, Stage.DRAFT),
        ({ENGLISH: TEXT}, {ENGLISH: [TEXT]}, Stage.PUBLISHED, Stage.MISSING),
        ({ENGLISH: TEXT}, {ENGLISH: [TEXT, CHANGED_TEXT]}, Stage.CHANGED, Stage.MISSING),
        ({ENGLISH: TEXT, THAI: TEXT}, {THAI: [TEXT, CHANGED_TEXT]}, Stage.PUBLISHED, Stage.CHANGED),
        ({ENGLISH: TEXT}, {THAI: [TEXT]}, Stage.PUBLISHED, Stage.DRAFT),
        ({ENGLISH: OTHER_TEXT}, {ENGLISH: [TEXT, CHANGED_TEXT]}, Stage.PUBLISHED, Stage.MISSING),  # written outside the office
    ],
)
def test_the_list_and_the_editor_name_the_same_stage(
    session: Session, save: Callable, files: dict, saved: dict, english: str, thai: str
) -> None:
    for key, texts in saved.items():
        save(key, *texts)

    assert (stage_in_list(session, files, ENGLISH), stage_in_editor(session, files, ENGLISH)) == (english, english)
    assert (stage_in_list(session, files, THAI), stage_in_editor(session, files, THAI)) == (thai, thai)


def test_a_file_is_published_even_if_another_text_had_the_same_words(session: Session, save: Callable) -> None:
    save(ENGLISH, TEXT)
    save(TextKey("article", "copied-from"), OTHER_TEXT)

    files = {ENGLISH: OTHER_TEXT}
    assert stage_in_editor(session, files, ENGLISH) == Stage.PUBLISHED
    assert stage_in_list(session, files, ENGLISH) == Stage.PUBLISHED


@pytest.mark.parametrize("mark", ["true", "Yes", "on", "1", "t", "y", '"y"'])
def test_a_draft_has_no_publication_day_however_it_is_marked(tmp_path: Path, mark: str) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "draft.md").write_text(f"---\ntitle: A\ndate: 2030-02-01\ndraft: {mark}\n---\nText")
    (folder / "later.md").write_bytes(b"---\r\ntitle: A\r\ndate: '2030-03-01'\r\ndraft: n\r\n--- \r\nText")
    (folder / "wrong.md").write_text("---\ntitle: A\ndate: 20300115\n---\nText")

    assert stages.next_publication_day(load({"SITE_CONTENT": str(tmp_path)}), NOW.date()) == date(2030, 3, 1)

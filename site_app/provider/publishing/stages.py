"""The stages of publications, in each language: draft, scheduled, published, or changed since. Compares files, drafts and builds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from operator import attrgetter
from time import monotonic
from typing import Any

from sqlmodel import Session, func, select

from site_app.contracts.publication import FOLDERS, parse_day
from site_app.core.locales import ENGLISH, LOCALES
from site_app.core.settings import Settings
from site_app.provider.publishing import builds, drafts, revisions
from site_app.provider.publishing.drafts import ListedDraft, TextKey, TextSummary, summary_of
from site_app.provider.publishing.files import ContentFiles, text_path, texts_among
from site_app.provider.store.tables import Build, Revision

_QUICK_SECONDS, _SHARED_SECONDS = 0.1, 10.0


class Stage(StrEnum):
    """How far a text is in one language: of a publication, or of the translation of one text of the site."""

    MISSING = "missing"
    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHING = "publishing"
    PUBLISHED = "published"
    CHANGED = "changed"
    REVIEW = "review"  # of a translation: its English was edited after it


PUBLICATION_STAGES = (Stage.DRAFT, Stage.SCHEDULED, Stage.PUBLISHING, Stage.PUBLISHED, Stage.CHANGED)


@dataclass(frozen=True)
class PublicationStage:
    """The stage of a publication, and of each of its languages. `at` is the moment of its last draft."""

    kind: str
    slug: str
    title: str
    date: str
    stage: Stage
    languages: Mapping[str, Stage]
    person: str = ""
    at: datetime | None = None

    @property
    def is_public(self) -> bool:
        return self.languages[ENGLISH.id] in (Stage.PUBLISHED, Stage.CHANGED)


@dataclass(frozen=True)
class PendingPaths:
    """The paths that builds will write: `due` are those of builds that run or wait, `scheduled` those of builds for a later moment."""

    due: frozenset[str]
    scheduled: frozenset[str]


def find_pending_paths(session: Session, *, now: datetime) -> PendingPaths:
    running = builds.running(session)
    waiting = [*builds.waiting(session, now=now), *([running] if running else [])]
    return PendingPaths(_paths(waiting), _paths(builds.scheduled(session, now=now)))


def _paths(listed_builds: Sequence[Build]) -> frozenset[str]:
    return frozenset(path for build in listed_builds for path in build.paths)


def unretried_failures(session: Session, *, now: datetime) -> Sequence[Build]:
    """Returns the failed builds that have to be requested again; those whose texts are being published again are left out."""
    failed = builds.failures(session)
    if not failed or builds.active(session, now=now) is None:
        return failed
    due = find_pending_paths(session, now=now).due
    return [build for build in failed if not texts_among(build.paths) <= due]


def summaries(files: ContentFiles) -> dict[TextKey, TextSummary]:
    """Returns the summary of every file. Reads all of them, in a thread."""
    file_summaries = {}
    for kind in FOLDERS:
        for slug, languages in files.texts(kind).items():
            for language in languages:
                text = files.text(kind, slug, language)
                if text is not None:
                    file_summaries[TextKey(kind, slug, language)] = summary_of(text)
    return file_summaries


def next_publication_day(settings: Settings, today: date) -> date | None:
    """Returns the next day after today on which a text with a future date becomes public, or None."""
    files = ContentFiles(settings)
    texts = (summary_of(files.text(kind, slug) or "") for kind in FOLDERS for slug in files.texts(kind))
    days = (parse_day(text.date) for text in texts if not text.is_draft)
    return min((day for day in days if day and day > today), default=None)


def listed_stages(
    session: Session, files: Mapping[TextKey, TextSummary], *, now: datetime, today: date
) -> list[PublicationStage]:
    """Returns the stages of all publications: unpublished and changed ones first, then by date, newest first.

    `today` is the publication day.
    """
    newest = {row.key: row for row in drafts.newest_drafts(session)}
    differing = {key: file.digest for key, file in files.items() if key in newest and newest[key].digest != file.digest}
    from_office = revisions.with_digest(session, differing)
    pending_paths = find_pending_paths(session, now=now)
    stages = [
        _stage(kind, slug, files, newest, from_office, pending_paths, today)
        for kind, slug in {(key.kind, key.slug) for key in (*files, *newest)}
    ]
    return sorted(stages, key=lambda entry: (entry.stage != Stage.PUBLISHED, entry.date, entry.slug), reverse=True)


class SharedStages:
    """The stages of all publications, kept by one process until something changes. Thousands of texts take most of a second to compare.

    A file that a program writes in place, without replacing it, is noticed within _SHARED_SECONDS. Quickly read stages are not kept.
    """

    def __init__(self, files: ContentFiles) -> None:
        self._files = files
        self._stages: Sequence[PublicationStage] = ()
        self._version: tuple[Any, ...] = ()
        self._expires_at = 0.0

    def read(self, session: Session, now: datetime, today: date) -> Sequence[PublicationStage]:
        """Returns what `listed_stages` returns, in a thread."""
        began, version = monotonic(), self._current_version(session, now, today)
        if version != self._version or began >= self._expires_at:
            self._stages = listed_stages(session, summaries(self._files), now=now, today=today)
            self._version = version
            self._expires_at = began + _SHARED_SECONDS if monotonic() - began >= _QUICK_SECONDS else 0.0
        return self._stages

    def _current_version(self, session: Session, now: datetime, today: date) -> tuple[Any, ...]:
        """Returns values of which one changes with every change of a draft, of a build, of the day, and of the folders."""
        drafts_version = session.exec(select(func.count(), func.max(Revision.id)).select_from(Revision)).one()
        build_states = [(build.id, build.state) for build in builds.latest(session)]
        scheduled_builds = [build.id for build in builds.scheduled(session, now=now)]
        folders = [self._files.changed_at(kind) for kind in FOLDERS]
        return *drafts_version, *build_states, *scheduled_builds, *folders, today


def _stage(
    kind: str,
    slug: str,
    files: Mapping[TextKey, TextSummary],
    newest: Mapping[TextKey, ListedDraft],
    from_office: set[TextKey],
    pending_paths: PendingPaths,
    today: date,
) -> PublicationStage:
    english = TextKey(kind, slug)
    file, draft = files.get(english), newest.get(english)
    is_hidden = file is None or file.is_draft
    languages = {}
    for locale in LOCALES:
        key = TextKey(kind, slug, locale.id)
        digest = _current_digest(files.get(key), newest.get(key), is_from_office=key in from_office)
        languages[locale.id] = _language_stage(files.get(key), digest, is_hidden=is_hidden)
    paths = {text_path(kind, slug, language) for language in languages}
    listed_file = file if file and (draft is None or languages[ENGLISH.id] == Stage.PUBLISHED) else None
    own_drafts = [newest[key] for key in (TextKey(kind, slug, name) for name in languages) if key in newest]
    last = max(own_drafts, key=attrgetter("written_at"), default=None)
    title = listed_file.title if listed_file else draft.title if draft else ""
    day = file.date if file else f"{last.written_at:%Y-%m-%d}" if last else ""
    if paths & pending_paths.due:
        stage = Stage.PUBLISHING
    elif paths & pending_paths.scheduled or (not is_hidden and day > today.isoformat()):
        stage = Stage.SCHEDULED
    elif is_hidden:
        stage = Stage.DRAFT
    else:
        stage = Stage.CHANGED if {Stage.CHANGED, Stage.DRAFT} & {*languages.values()} else Stage.PUBLISHED
    person, at = (last.person, last.written_at) if last else ("", None)
    return PublicationStage(kind, slug, title or slug, day, stage, languages, person, at)


def _current_digest(file: TextSummary | None, draft: ListedDraft | None, *, is_from_office: bool) -> str | None:
    """Returns the digest of the text that an editor begins from, by the rule of drafts.current."""
    if draft and (file is None or is_from_office):
        return draft.digest
    return file.digest if file else None


def language_stage(published_text: str | None, english_text: str | None, text: str | None) -> Stage:
    """Returns the stage of a text in one language. `text` is what its editor begins from, or None if there is nothing yet."""
    return _language_stage(
        summary_of(published_text) if published_text is not None else None,
        summary_of(text).digest if text is not None else None,
        is_hidden=not is_public(english_text),
    )


def is_public(english_text: str | None) -> bool:
    """Returns True if the site shows the publication: its English file is there and not marked as a draft."""
    return english_text is not None and not summary_of(english_text).is_draft


def _language_stage(file: TextSummary | None, current_digest: str | None, *, is_hidden: bool) -> Stage:
    if current_digest is None:
        return Stage.MISSING
    if file is None or is_hidden:
        return Stage.DRAFT
    return Stage.PUBLISHED if current_digest == file.digest else Stage.CHANGED

"""Translations of the site's texts: what the catalogs in locales/ say, what the office has published over them, and its drafts.

A draft is a revision of the translation of one text, so two people collide only where both translate the same text. Published
translations are one catalog for each language, in SITE_CONTENT.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col, select

from site_app.core.i18n.catalogs import CatalogText, catalog_texts
from site_app.core.i18n.office_catalogs import (
    CatalogKey,
    OfficeTranslation,
    english_of,
    forms_of,
    key_of,
    mistakes_of,
    read_office,
    written_office,
)
from site_app.core.locales import BY_ID
from site_app.provider.publishing import builds, revisions
from site_app.provider.publishing.files import translations_path
from site_app.provider.publishing.revisions import RevisionKey
from site_app.provider.publishing.stages import Stage, find_pending_paths
from site_app.provider.store import advisory_lock
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.tables import Revision

MAX_FORM_LENGTH = 3_000  # characters
_KIND = "translation"  # of its revisions
_MAX_REVISIONS = 50  # of a text; the oldest give way
_MAX_LOGGED_LENGTH = 80  # characters
_SLUG_LENGTH = 20


@dataclass(frozen=True)
class Wording:
    """A translation, with the forms that it has for numbers; none if there is no translation."""

    forms: tuple[str, ...] = ()
    needs_review: bool = False  # since the English was edited after it

    @property
    def text(self) -> str:
        """The wording as it is stored."""
        return json.dumps({"forms": self.forms, "review": self.needs_review}, ensure_ascii=False)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def _wording_of(row: Revision) -> Wording:
    stored = json.loads(row.text)
    return Wording(tuple(stored["forms"]), stored["review"])


@dataclass(frozen=True)
class TranslatedText:
    """A text with its translation: that of locales/, the one that is published, and the newest in the office."""

    source: CatalogText
    shipped: Wording
    public: Wording
    current: Wording
    person: str = ""
    at: datetime | None = None

    @property
    def slug(self) -> str:
        return text_id(self.source.key)

    @property
    def is_changed(self) -> bool:
        """True if the office has another wording than the site."""
        return self.current != self.public

    @property
    def stage(self) -> Stage:
        if not self.current.forms:
            return Stage.CHANGED if self.is_changed else Stage.MISSING
        if self.current.needs_review:
            return Stage.REVIEW
        return Stage.CHANGED if self.is_changed else Stage.PUBLISHED


def text_id(key: CatalogKey) -> str:
    """Returns the name of a text in forms and rows."""
    return hashlib.sha256("\0".join(key).encode()).hexdigest()[:_SLUG_LENGTH]


def translated_texts(session: Session, language: str, published: bytes | None) -> list[TranslatedText]:
    """Returns all texts of the site. `published` is the catalog of what the office has published."""
    office = {key_of(message): OfficeTranslation(english_of(message), forms_of(message)) for message in read_office(published)}
    texts = []
    for source in catalog_texts(language):
        shipped = Wording(source.forms, bool(source.forms and source.earlier))
        texts.append(TranslatedText(source, shipped, _public(source, shipped, office.get(source.key)), Wording()))
    newest = _newest_revisions(session, language)
    differing = {
        _key_of(language, text.slug): text.public.digest
        for text in texts
        if text.slug in newest and text.public.forms and newest[text.slug].digest != text.public.digest
    }
    from_office = {key.slug for key in revisions.with_digest(session, differing)}
    return [_with_draft(text, newest.get(text.slug), from_office) for text in texts]


def _public(source: CatalogText, shipped: Wording, office: OfficeTranslation | None) -> Wording:
    is_valid = office is not None and office.english == source.english and not mistakes_of(source.english, office.forms)
    return Wording(office.forms) if office and is_valid else shipped


def _with_draft(text: TranslatedText, row: Revision | None, from_office: set[str]) -> TranslatedText:
    """Adds the draft. A wording on the site that equals no revision was written elsewhere, and counts as newer than the draft."""
    is_shadowed = row is not None and text.public.forms and row.digest != text.public.digest and text.slug not in from_office
    if row is None or is_shadowed:
        return TranslatedText(text.source, text.shipped, text.public, text.public)
    return TranslatedText(text.source, text.shipped, text.public, _wording_of(row), row.person, row.written_at)


def aside_wordings_for(session: Session, language: str, person: str) -> Mapping[str, Wording]:
    """Returns the wordings that were set aside for this person when a session had ended, by the name of the text."""
    return {row.slug: _wording_of(row) for row in revisions.aside_revisions(session, _KIND, language, person)}


def save(
    session: Session, language: str, text: TranslatedText, wording: Wording, actor: Actor, *, base: str
) -> TranslatedText | None:
    """Saves a wording and returns None. If somebody else has saved another one meanwhile, saves nothing and returns theirs.

    `base` is the digest of the wording that the person began from.
    """
    advisory_lock(session, f"{_KIND}/{language}")
    key = _key_of(language, text.slug)
    newest = revisions.newest_revision(session, key)
    if text.public.forms and not revisions.with_digest(session, {key: text.public.digest}):
        newest = _add(session, language, text, text.public, Actor("", actor.now))
    digest = newest.digest if newest else Wording().digest
    if digest == wording.digest:
        return None
    if newest and digest != base:
        return TranslatedText(text.source, text.shipped, text.public, _wording_of(newest), newest.person, newest.written_at)
    revisions.remove_oldest(session, key, keep=_MAX_REVISIONS, published_digest=text.public.digest)
    _add(session, language, text, wording, actor)
    new_wording = " | ".join(wording.forms) or "nothing"
    record(session, actor, "translate", f"translations/{language}", _short(text.source.english[0]), _short(new_wording))
    return None


def set_aside(session: Session, language: str, slug: str, wording: Wording, actor: Actor) -> None:
    """Sets a wording aside that was sent after its writer's session had ended."""
    sources = {text_id(source.key): source for source in catalog_texts(language)}
    if source := sources.get(slug):
        drop_aside(session, language, [slug], actor.name)
        _add(session, language, TranslatedText(source, Wording(), Wording(), Wording()), wording, actor, aside=True)


def drop_aside(session: Session, language: str, slugs: Sequence[str], person: str) -> None:
    """Deletes the wordings of these texts that were set aside for this person, who has seen them and sent the form again."""
    is_own = (col(Revision.slug).in_(slugs), col(Revision.person) == person, col(Revision.aside))
    session.connection().execute(
        delete(Revision).where(col(Revision.kind) == _KIND, col(Revision.language) == language, *is_own)
    )


def publish(session: Session, language: str, published: bytes | None, actor: Actor, *, is_pushed: bool = False) -> bool:
    """Requests a build with all wordings of a language that differ from the site's. Returns False if there are none.

    Without any the site's catalog is written again if a build is about to write another one, or, if `is_pushed`, has pushed one.

    All wordings share one file. To publish only some would undo those that a waiting build is about to publish.
    """
    builds.take_turn(session)  # otherwise a wording that somebody else publishes meanwhile would not be among those read here
    changes: dict[CatalogKey, OfficeTranslation | None] = {
        text.source.key: None if text.current == text.shipped else OfficeTranslation(text.source.english, text.current.forms)
        for text in translated_texts(session, language, published)
        if text.is_changed and (text.current == text.shipped or not text.current.needs_review)
    }
    path = translations_path(language)
    content = written_office(BY_ID[language], published, changes) if changes else published
    other_versions = find_pending_paths(session, now=actor.now).due | (builds.written_texts(session) if is_pushed else set())
    if content == published and path not in other_versions:
        return False
    builds.request(session, {path: content}, actor)
    return True


def _key_of(language: str, slug: str) -> RevisionKey:
    return RevisionKey(_KIND, slug, language)


def _newest_revisions(session: Session, language: str) -> dict[str, Revision]:
    """Returns the newest revision of each text that has one."""
    newest = revisions.select_newest_ids([_KIND]).where(Revision.language == language)
    return {row.slug: row for row in session.exec(select(Revision).where(col(Revision.id).in_(newest)))}


def _add(
    session: Session, language: str, text: TranslatedText, wording: Wording, actor: Actor, *, aside: bool = False
) -> Revision:
    title = _short(text.source.english[0])
    key = _key_of(language, text.slug)
    return revisions.add_revision(session, key, title=title, text=wording.text, digest=wording.digest, actor=actor, aside=aside)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_LOGGED_LENGTH else f"{text[:_MAX_LOGGED_LENGTH]}…"

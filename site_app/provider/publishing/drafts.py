"""Drafts: each saved revision of a text, in one language, and the pictures uploaded for them. Nothing here is public.

Published texts are the files of ContentFiles. The newest revision of a text is its draft. When somebody edits a file that was written
outside the office, the file becomes a revision first, so that every change has a revision to be merged with.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, tuple_
from sqlmodel import Session, col, func, select

from site_app.contracts.publication import (
    PUBLICATION_MODELS,
    BrokenFrontMatter,
    file_text,
    has_draft_mark,
    is_picture_name,
    is_slug,
    parse,
    parse_leniently,
    slug_of_title,
)
from site_app.core.locales import BY_ID, ENGLISH
from site_app.provider.publishing import revisions
from site_app.provider.publishing.merging import MergedText, merge_fields, merge_text
from site_app.provider.publishing.revisions import RevisionKey, newest_revision, select_revisions
from site_app.provider.store import advisory_lock, insert_if_new
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.tables import DraftPicture, Revision

MAX_DRAFT_BYTES = 200_000  # of a whole file
MAX_PICTURES = 40  # of a publication
_MAX_REVISIONS = 200  # of a text; the oldest give way
_MAX_ASIDE = 20  # texts of a person that were set aside
_HIDDEN_FIELD = "draft"  # of the front matter; buttons of the office set and remove it
# The address in ![words](address), in [words](address), or in a line [name]: address that a picture may refer to.
_ADDRESS_IN_TEXT = re.compile(r"(?:\]\(|^ {0,3}\[[^\]\n]+\]:[ \t]*)<?([^<>()\s]+)", re.MULTILINE)
_MAX_PICTURE_STEM_LENGTH = 60
_MAX_NUMBERS = 1000
_MAX_SUMMARIES = 30_000  # 5,000 publications, their languages and drafts
_summaries: dict[bytes, "TextSummary"] = {}


class TextKey(RevisionKey):
    """The text of a publication in one language."""

    __slots__ = ()

    @property
    def reference(self) -> str:
        """Its name in the audit log."""
        return f"{self.kind}/{self.slug}/{self.language}"

    @property
    def lang(self) -> str:
        """The language as in the attribute of HTML."""
        return BY_ID[self.language].tag

    @property
    def is_english(self) -> bool:
        return self.language == ENGLISH.id

    @property
    def fields(self) -> Sequence[str]:
        """The names of the fields that its front matter may have, without `draft`."""
        model = PUBLICATION_MODELS[self.kind][0 if self.is_english else 1]
        return [name for name in model.model_fields if name != _HIDDEN_FIELD]


def text_key(kind: str, slug: str, language: str) -> TextKey | None:
    """Returns the key of a text, or None if the kind or language is unknown or the slug is invalid."""
    is_text = kind in PUBLICATION_MODELS and is_slug(slug) and language in BY_ID
    return TextKey(kind, slug, language) if is_text else None


@dataclass(frozen=True)
class TextSummary:
    """A text in a list. `digest` is the same for texts that differ only in their layout or in the draft mark."""

    title: str
    date: str
    is_draft: bool
    digest: str


def summary_of(text: str) -> TextSummary:
    """Returns the summary of a text; parsing takes far longer than hashing, so it is kept."""
    key = hashlib.sha256(text.encode()).digest()
    if key not in _summaries:
        if len(_summaries) >= _MAX_SUMMARIES:
            _summaries.clear()
        _summaries[key] = _summary(text, key)
    return _summaries[key]


def _summary(text: str, key: bytes) -> TextSummary:
    try:
        parts = parse(text)
    except BrokenFrontMatter:
        return TextSummary("", "", False, key.hex())
    fields = {name: value for name, value in parts.fields.items() if name != _HIDDEN_FIELD}
    content = json.dumps([fields, parts.markdown.rstrip()], sort_keys=True, ensure_ascii=False)
    title = fields.get("title")
    day = fields.get("date")
    return TextSummary(
        " ".join(title.split()) if isinstance(title, str) else "",
        day if isinstance(day, str) else "",
        has_draft_mark(parts.fields),
        hashlib.sha256(content.encode()).hexdigest(),
    )


def set_draft_mark(text: str, *, is_draft: bool = False) -> str:
    """Returns the file with or without the line that keeps it from the site. Raises BrokenFrontMatter."""
    parts = parse(text)
    fields = {name: value for name, value in parts.fields.items() if name != _HIDDEN_FIELD}
    if is_draft:
        fields[_HIDDEN_FIELD] = "true"
    return file_text(fields, parts.markdown)


def ordered_text(key: TextKey, text: str) -> str:
    """Returns the file with its fields in the order of the model, each written alike, so that a comparison shows words alone."""
    try:
        parts = parse(text)
    except BrokenFrontMatter:
        return text
    names = [*(name for name in key.fields if name in parts.fields), *(name for name in parts.fields if name not in key.fields)]
    return file_text({name: parts.fields[name] for name in names}, parts.markdown)


@dataclass(frozen=True)
class CurrentText:
    """The text that an editor begins from: the draft, or the file. `revision` is None for a file that was written outside the office.

    `shadowed` is the older draft of the office that such a file hides.
    """

    text: str
    digest: str
    revision: Revision | None
    shadowed: Revision | None = None


def current(session: Session, key: TextKey, published_text: str | None) -> CurrentText | None:
    """Returns the newest revision of a text, or None if there is neither a draft nor a file."""
    newest = newest_revision(session, key)
    if published_text is not None and not _has_revision(session, key, published_text):
        return CurrentText(published_text, summary_of(published_text).digest, None, newest)
    return CurrentText(newest.text, newest.digest, newest) if newest else None


def history(session: Session, key: TextKey) -> Sequence[Revision]:
    """Returns all revisions of a text, newest first."""
    return session.exec(select_revisions(key).order_by(col(Revision.id).desc())).all()


def revision(session: Session, key: TextKey, number: int) -> Revision | None:
    return session.exec(select_revisions(key).where(Revision.id == number)).first()


def revision_before(session: Session, key: TextKey, revision: Revision) -> Revision | None:
    """Returns the newest revision before this one that was not set aside."""
    earlier = select_revisions(key).where(col(Revision.id) < revision.id, ~col(Revision.aside))
    return session.exec(earlier.order_by(col(Revision.id).desc()).limit(1)).first()


def aside_text_for(session: Session, key: TextKey, person: str) -> Revision | None:
    """Returns the text that was set aside for this person since the newest revision, or None."""
    newest = newest_revision(session, key)
    aside = revisions.aside_revisions(session, key.kind, key.language, person, slug=key.slug)
    return aside[-1] if aside and (newest is None or (aside[-1].id or 0) > (newest.id or 0)) else None


@dataclass(frozen=True)
class ListedDraft:
    """The newest revision of a text, without the text."""

    key: TextKey
    title: str
    digest: str
    person: str
    written_at: datetime


def newest_drafts(session: Session) -> Sequence[ListedDraft]:
    """Returns the newest revision of every text that has a draft."""
    newest = revisions.select_newest_ids(PUBLICATION_MODELS)
    columns = (Revision.kind, Revision.slug, Revision.language, Revision.title, Revision.digest, Revision.person)
    rows: Any = session.connection().execute(
        select(*columns, Revision.written_at).where(col(Revision.id).in_(newest))  # pyright: ignore
    )
    return [ListedDraft(TextKey(*row[:3]), *row[3:]) for row in rows]


def pictures(session: Session, kind: str, slug: str) -> Mapping[str, tuple[int, int]]:
    """Returns the sizes of the pictures that were uploaded for a publication, in pixels, by name."""
    columns = select(DraftPicture.name, DraftPicture.width, DraftPicture.height)
    rows = session.exec(columns.where(DraftPicture.kind == kind, DraftPicture.slug == slug).order_by(DraftPicture.name))
    return {name: (width, height) for name, width, height in rows}


def picture(session: Session, kind: str, name: str) -> DraftPicture | None:
    return session.get(DraftPicture, (kind, name))


def picture_names(text: str) -> list[str]:
    """Returns the names of the pictures that a text shows, each once."""
    try:
        parts = parse(text)
    except BrokenFrontMatter:
        return []
    lead = parts.fields.get("picture")
    names = [lead["file"]] if isinstance(lead, dict) and isinstance(lead.get("file"), str) else []
    names += filter(is_picture_name, _ADDRESS_IN_TEXT.findall(parts.markdown))
    return list(dict.fromkeys(names))


@dataclass(frozen=True)
class SaveResult:
    """A text was saved. `other` is the revision that somebody else had saved meanwhile and that was merged with it."""

    revision: Revision
    other: Revision | None = None


@dataclass(frozen=True)
class SaveConflict:
    """The draft is unchanged, because two people changed the same lines or fields. The person's text was set aside.

    `text` holds both versions, to be resolved; `fields` holds what the other person wrote in the same fields.
    """

    text: str
    fields: Mapping[str, Any]
    other: Revision


def save(
    session: Session, key: TextKey, text: str, actor: Actor, *, base: str, published_text: str | None
) -> SaveResult | SaveConflict | None:
    """Saves a text as its draft. Returns None if the draft says the same already.

    `base` is the digest of the revision that the person began from; `published_text` is the text of the file, or None without a file. If
    somebody else has saved meanwhile, both changes are merged.
    """
    advisory_lock(session, key.reference)
    published_digest = summary_of(published_text).digest if published_text is not None else ""
    revisions.remove_oldest(session, key, keep=_MAX_REVISIONS, published_digest=published_digest)
    newest = _with_published(session, key, published_text, actor.now)
    digest = summary_of(text).digest
    if newest is None or newest.digest == base:
        return None if newest and newest.digest == digest else SaveResult(_add(session, key, text, actor))
    if newest.digest == digest:
        return None
    base_revision = session.exec(
        select_revisions(key).where(Revision.digest == base).order_by(col(Revision.id).desc()).limit(1)
    ).first()
    merged, fields = _merged(base_revision.text if base_revision else file_text({}, ""), text, newest.text)
    if fields or merged.collisions:
        _add(session, key, text, actor, aside=True)
        return SaveConflict(merged.text, fields, newest)
    return SaveResult(_add(session, key, merged.text, actor), newest)


def take_over(session: Session, key: TextKey, published_text: str, *, now: datetime) -> None:
    """Stores a file as a revision of its text unless it is one already. Called before the file is removed."""
    advisory_lock(session, key.reference)
    _with_published(session, key, published_text, now)


def set_aside(session: Session, key: TextKey, text: str, actor: Actor) -> bool:
    """Sets a text aside that was sent after its writer's session had ended. Returns False if the person has too many of them."""
    is_own = (Revision.person == actor.name, col(Revision.aside), col(Revision.kind).in_(PUBLICATION_MODELS))
    aside = select(func.count()).select_from(Revision).where(*is_own)
    if session.exec(aside).one() >= _MAX_ASIDE:
        return False
    _add(session, key, text, actor, aside=True)
    return True


def begin(session: Session, kind: str, title: str, text: str, actor: Actor, *, used_slugs: Sequence[str]) -> TextKey | None:
    """Adds the draft of a new publication under a slug made of its title. Returns None for a title without a letter or digit.

    `used_slugs` are those of files. A slug that is in use gets a number.
    """
    advisory_lock(session, f"new {kind}")
    stem = slug_of_title(title)
    used = {*used_slugs, *session.exec(select(Revision.slug).where(Revision.kind == kind).distinct())}
    for slug in (stem, *(f"{stem}-{number}" for number in range(2, _MAX_NUMBERS))):
        if is_slug(slug) and slug not in used:
            key = TextKey(kind, slug)
            _add(session, key, text, actor)
            return key
    return None


def discard(session: Session, kind: str, slug: str, actor: Actor) -> None:
    """Deletes a publication that was never published: all revisions in all languages, and its pictures."""
    for table in (Revision, DraftPicture):
        session.connection().execute(delete(table).where(col(table.kind) == kind, col(table.slug) == slug))
    record(session, actor, "discard draft", f"{kind}/{slug}/{ENGLISH.id}")


def add_picture(session: Session, kind: str, slug: str, row: DraftPicture, *, used_names: Sequence[str]) -> str | None:
    """Stores a picture under its name, or with a number if that name is in use. Returns the name, or None if there are too many.

    A picture that was added before keeps its name. `used_names` are those of the published pictures of the kind.
    """
    advisory_lock(session, f"pictures {kind}")
    own_pictures = select(DraftPicture).where(DraftPicture.kind == kind, DraftPicture.slug == slug)
    same = session.exec(own_pictures.where(DraftPicture.sha256 == row.sha256)).first()
    if same:
        return same.name
    if session.exec(select(func.count()).select_from(own_pictures.subquery())).one() >= MAX_PICTURES:
        return None
    stem, _, ending = row.name.rpartition(".")
    for name in _numbered(stem, ending):
        fields = row.model_dump() | {"kind": kind, "slug": slug, "name": name}
        if name not in used_names and insert_if_new(session, DraftPicture, fields):
            record(session, Actor(row.person, row.added_at), "add picture", f"{kind}/{slug}/{ENGLISH.id}", after=name)
            return name
    return None


def picture_file_name(name: str, kind: str, slug: str) -> str:
    """Returns a name for an uploaded picture: the slug, because all texts share a folder, then the file's own name in plain letters."""
    stem = slug_of_title(name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0])
    name_stem = slug if not stem else stem if stem.startswith(slug) else f"{slug}-{stem}"
    return f"{name_stem[:_MAX_PICTURE_STEM_LENGTH].rstrip('-')}.{kind}"


def contents_of(session: Session, kind: str, names: Sequence[str]) -> Mapping[str, bytes]:
    """Returns the content of each of these pictures that was uploaded in the office."""
    columns = tuple_(col(DraftPicture.kind), col(DraftPicture.name))
    rows = session.exec(select(DraftPicture).where(columns.in_([(kind, name) for name in names])))
    return {row.name: row.content for row in rows}


def _with_published(session: Session, key: TextKey, published_text: str | None, now: datetime) -> Revision | None:
    """Returns the newest revision. A file that equals no revision was written outside the office, and becomes the newest."""
    if published_text is not None and not _has_revision(session, key, published_text):
        return _add(session, key, published_text, Actor("", now))
    return newest_revision(session, key)


def _has_revision(session: Session, key: TextKey, text: str) -> bool:
    return bool(revisions.with_digest(session, {key: summary_of(text).digest}))


def _add(session: Session, key: TextKey, text: str, actor: Actor, *, aside: bool = False) -> Revision:
    """Stores a revision, and logs it unless it was written outside the office."""
    summary = summary_of(text)
    row = revisions.add_revision(session, key, title=summary.title, text=text, digest=summary.digest, actor=actor, aside=aside)
    if actor.name:
        record(session, actor, "set text aside" if aside else "save text", key.reference, after=str(row.id))
    return row


def _merged(base: str, ours: str, theirs: str) -> tuple[MergedText, Mapping[str, Any]]:
    """Merges two files, field by field and line by line. Returns the file, and what collided in its fields."""
    base_parts, our_parts, their_parts = map(parse_leniently, (base, ours, theirs))
    fields = merge_fields(base_parts.fields, our_parts.fields, their_parts.fields)
    text = merge_text(base_parts.markdown, our_parts.markdown, their_parts.markdown)
    return MergedText(file_text(fields.fields, text.text), text.collisions), fields.collisions


def _numbered(stem: str, ending: str) -> Iterator[str]:
    yield f"{stem}.{ending}"
    for number in range(2, _MAX_NUMBERS):
        yield f"{stem}-{number}.{ending}"

"""Revisions: the rows of all drafts, of a publication's text or of the translation of one text. The newest one is the draft.

A revision that is set aside belongs to its writer alone: it was sent after a session had ended, or collided with somebody else's.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import delete
from sqlmodel import Session, col, func, select

from site_app.core.locales import ENGLISH
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Revision


class RevisionKey(NamedTuple):
    """The text that a revision belongs to."""

    kind: str
    slug: str
    language: str = ENGLISH.id


Key = TypeVar("Key", bound=RevisionKey)


def select_revisions(key: RevisionKey):
    """Returns a statement that selects all revisions of a text."""
    return select(Revision).where(Revision.kind == key.kind, Revision.slug == key.slug, Revision.language == key.language)


def select_newest_ids(kinds: Collection[str]):
    """Returns a statement that selects the number of the newest revision of each text of these kinds."""
    newest = select(func.max(Revision.id)).where(col(Revision.kind).in_(kinds), ~col(Revision.aside))
    return newest.group_by(Revision.kind, Revision.slug, Revision.language)


def newest_revision(session: Session, key: RevisionKey) -> Revision | None:
    """Returns the newest revision of a text that was not set aside."""
    shared = select_revisions(key).where(~col(Revision.aside))
    return session.exec(shared.order_by(col(Revision.id).desc()).limit(1)).first()


def aside_revisions(session: Session, kind: str, language: str, person: str, *, slug: str = "") -> Sequence[Revision]:
    """Returns the revisions set aside for a person in one language, of all texts of the kind or of one, oldest first."""
    aside = select(Revision).where(Revision.kind == kind, Revision.language == language, col(Revision.aside))
    aside = aside.where(Revision.slug == slug) if slug else aside
    return session.exec(aside.where(Revision.person == person).order_by(col(Revision.id))).all()


def with_digest(session: Session, digests: Mapping[Key, str]) -> set[Key]:
    """Returns the keys whose text has a revision with the given digest that was not set aside."""
    if not digests:
        return set()
    columns = (Revision.kind, Revision.slug, Revision.language, Revision.digest)
    same = select(*columns).where(
        col(Revision.kind).in_({key.kind for key in digests}),
        col(Revision.slug).in_({key.slug for key in digests}),
        col(Revision.language).in_({key.language for key in digests}),
        col(Revision.digest).in_({*digests.values()}),
        ~col(Revision.aside),
    )
    stored: set[Any] = {tuple(row) for row in session.exec(same)}
    return {key for key, digest in digests.items() if (*key, digest) in stored}


def add_revision(
    session: Session, key: RevisionKey, *, title: str, text: str, digest: str, actor: Actor, aside: bool = False
) -> Revision:
    """Stores a revision and returns its row, with its number."""
    row = Revision(**key._asdict(), title=title, text=text, digest=digest, person=actor.name, written_at=actor.now, aside=aside)
    session.add(row)
    session.flush()
    return row


def remove_oldest(session: Session, key: RevisionKey, *, keep: int, published_digest: str) -> None:
    """Deletes the oldest revisions of a text beyond `keep`.

    The published revision stays, because merges begin from it, and without it the draft would count as older than the site's text.
    """
    newest_ids = select_revisions(key).with_only_columns(Revision.id).order_by(col(Revision.id).desc()).limit(keep)  # pyright: ignore
    old = delete(Revision).where(
        col(Revision.kind) == key.kind,
        col(Revision.slug) == key.slug,
        col(Revision.language) == key.language,
        col(Revision.id).not_in(newest_ids),
        col(Revision.digest) != published_digest,
    )
    session.connection().execute(old)

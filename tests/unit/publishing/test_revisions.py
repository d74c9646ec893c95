"""Revisions of drafts: the newest is the draft, those set aside belong to one person, and the oldest give way."""

from datetime import UTC, datetime

from sqlmodel import Session, col

from site_app.provider.publishing.revisions import (
    RevisionKey,
    add_revision,
    aside_revisions,
    newest_revision,
    remove_oldest,
    select_newest_ids,
    select_revisions,
    with_digest,
)
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Revision

ADA, BO = (Actor(name, datetime(2030, 1, 2, 12, tzinfo=UTC)) for name in ("ada@example.com", "bo@example.com"))
KEY = RevisionKey("article", "estimates")
THAI = RevisionKey("article", "estimates", "th")
OTHER = RevisionKey("translation", "estimates", "th")


def _add(session: Session, text: str, key: RevisionKey = KEY, actor: Actor = ADA, *, aside: bool = False) -> Revision:
    return add_revision(session, key, title=text, text=text, digest=text, actor=actor, aside=aside)


def test_the_newest_revision_is_of_this_text_and_was_not_set_aside(session: Session) -> None:
    _add(session, "first")
    _add(session, "second")
    _add(session, "third", aside=True)
    _add(session, "fourth", THAI)

    newest = newest_revision(session, KEY)

    assert newest is not None
    assert newest.text == "second"
    assert newest_revision(session, OTHER) is None


def test_each_text_of_a_kind_has_one_newest_revision(session: Session) -> None:
    _add(session, "first")
    newest = [_add(session, "second"), _add(session, "third", THAI)]
    _add(session, "fourth", aside=True)
    _add(session, "fifth", OTHER)

    assert sorted(number or 0 for number in session.exec(select_newest_ids(["article"]))) == [row.id for row in newest]


def test_revisions_set_aside_belong_to_one_person_and_language(session: Session) -> None:
    _add(session, "first", aside=True)
    _add(session, "second", aside=True)
    _add(session, "third", actor=BO, aside=True)
    _add(session, "fourth", THAI, aside=True)
    _add(session, "fifth")

    of_ada = aside_revisions(session, "article", "en", ADA.name)

    assert [row.text for row in of_ada] == ["first", "second"]
    assert aside_revisions(session, "article", "en", ADA.name, slug="other") == []


def test_a_digest_counts_for_its_own_text_alone(session: Session) -> None:
    _add(session, "first")
    _add(session, "second", THAI)
    _add(session, "third", OTHER, aside=True)

    assert with_digest(session, {KEY: "first", THAI: "first", OTHER: "third"}) == {KEY}
    assert with_digest(session, {}) == set()


def test_the_oldest_revisions_give_way_but_the_published_one_stays(session: Session) -> None:
    for number in range(5):
        _add(session, str(number))
    _add(session, "other", THAI)

    remove_oldest(session, KEY, keep=2, published_digest="0")

    assert [row.text for row in session.exec(select_revisions(KEY).order_by(col(Revision.id)))] == ["0", "3", "4"]
    assert newest_revision(session, THAI) is not None

"""Drafts: every save is a state, two editors lose nothing, a file written elsewhere counts, names are safe."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import Session, select

from site_app.contracts.publication import parse
from site_app.provider.publishing import drafts
from site_app.provider.publishing.drafts import SaveConflict, SaveResult, TextKey, summary_of
from site_app.provider.publishing.revisions import newest_revision
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import AuditEntry, DraftPicture, Revision

NOW = datetime(2030, 1, 2, 12, tzinfo=UTC)
ADA, BO = Actor("ada@example.com", NOW), Actor("bo@example.com", NOW + timedelta(minutes=1))
KEY = TextKey("article", "estimates")
TEXT = "---\ntitle: Estimates\ndate: 2026-05-01\n---\nFirst.\n\nSecond.\n\nThird.\n"


@pytest.fixture
def save(session: Session) -> Callable[..., SaveResult | SaveConflict | None]:
    def save(text: str, actor: Actor = ADA, *, base: str = "", file: str | None = None) -> SaveResult | SaveConflict | None:
        return drafts.save(session, KEY, text, actor, base=base, published_text=file)

    return save


def _picture(name: str, content: bytes = b"1") -> DraftPicture:
    fields = {"content": content, "sha256": content.hex(), "width": 800, "height": 400}
    return DraftPicture(kind="article", name=name, slug="estimates", person=ADA.name, added_at=NOW, **fields)


def test_saving_unchanged_text_adds_no_revision(session: Session, save: Callable) -> None:
    first = save(TEXT)
    assert save(TEXT, base=first.revision.digest) is None
    assert save(TEXT.replace("Estimates", "'Estimates'") + "\n", base=first.revision.digest) is None
    save(TEXT.replace("First", "1st"), BO, base=first.revision.digest)

    assert [(row.person, row.title) for row in drafts.history(session, KEY)] == [
        (BO.name, "Estimates"),
        (ADA.name, "Estimates"),
    ]
    assert [(row.action, row.reference) for row in session.exec(select(AuditEntry))] == 2 * [
        ("save text", "article/estimates/en")
    ]


def test_two_editors_of_different_lines_are_merged(save: Callable) -> None:
    base = save(TEXT).revision.digest
    save(TEXT.replace("First", "1st").replace("Estimates", "How"), BO, base=base)

    outcome = save(TEXT.replace("Third", "3rd").replace("2026-05-01", "2026-05-02"), base=base)

    assert isinstance(outcome, SaveResult)
    assert outcome.other is not None
    assert outcome.other.person == BO.name
    assert outcome.revision.text == "---\ntitle: How\ndate: 2026-05-02\n---\n1st.\n\nSecond.\n\n3rd.\n"


def test_two_editors_of_the_same_line_see_both_and_nothing_is_lost(session: Session, save: Callable) -> None:
    base = save(TEXT).revision.digest
    save(TEXT.replace("Second", "2nd").replace("Estimates", "How"), BO, base=base)
    my_text = TEXT.replace("Second", "Next").replace("Estimates", "Why")

    outcome = save(my_text, base=base)

    assert isinstance(outcome, SaveConflict)
    assert {"2nd.", "Next."} <= {*outcome.text.splitlines()}
    assert parse(outcome.text).fields["title"] == "Why"
    assert outcome.fields == {"title": "How"}
    assert (newest_revision(session, KEY) or outcome.other).person == BO.name
    aside = drafts.aside_text_for(session, KEY, ADA.name)
    assert aside is not None
    assert aside.text == my_text


def test_a_file_written_elsewhere_is_what_editors_begin_from(session: Session, save: Callable) -> None:
    current = drafts.current(session, KEY, TEXT)
    assert current is not None
    assert (current.text, current.revision) == (TEXT, None)

    save(TEXT.replace("First", "1st"), base=current.digest, file=TEXT)

    assert [row.person for row in drafts.history(session, KEY)] == [ADA.name, ""]
    current = drafts.current(session, KEY, TEXT)
    assert current is not None
    assert "1st" in current.text
    changed = drafts.current(session, KEY, TEXT.replace("Third", "Last"))
    assert changed is not None
    assert "Last" in changed.text
    assert changed.shadowed is not None
    outcome = save(TEXT.replace("First", "One"), base=current.digest, file=TEXT.replace("Third", "Last"))
    assert isinstance(outcome, SaveConflict)


def test_the_draft_flag_does_not_change_the_digest() -> None:
    hidden = drafts.set_draft_mark(TEXT, is_draft=True)

    assert "draft: true" in hidden
    assert summary_of(hidden).is_draft
    assert summary_of(hidden).digest == summary_of(TEXT).digest
    assert drafts.set_draft_mark(hidden) == TEXT


def test_a_new_publication_gets_a_free_slug(session: Session) -> None:
    slugs = [drafts.begin(session, "article", "Estimates!", TEXT, ADA, used_slugs=["estimates"]) for _ in range(2)]

    assert [key and key.slug for key in slugs] == ["estimates-2", "estimates-3"]
    assert drafts.begin(session, "article", "งาน", TEXT, ADA, used_slugs=[]) is None
    assert drafts.begin(session, "article", "Page", TEXT, ADA, used_slugs=[]) == TextKey("article", "page-2")


def test_a_text_of_an_ended_session_is_set_aside_up_to_a_limit(session: Session) -> None:
    were_set_aside = [drafts.set_aside(session, KEY, TEXT + str(number), ADA) for number in range(25)]

    assert were_set_aside == [True] * 20 + [False] * 5
    assert newest_revision(session, KEY) is None


def test_pruning_keeps_the_published_revision(session: Session, save: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "_MAX_REVISIONS", 3)
    base = summary_of(TEXT).digest
    for number in range(6):
        base = save(f"{TEXT}{number}\n", base=base, file=TEXT).revision.digest

    assert [row.text for row in drafts.history(session, KEY)][-1] == TEXT
    assert len(drafts.history(session, KEY)) == 5


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("Screen Shot (1).PNG", "estimates-screen-shot-1.png"),
        ("../../etc/passwd.png", "estimates-passwd.png"),
        ("C:\\x\\งาน.png", "estimates.png"),
        ("estimates-board.png", "estimates-board.png"),
        ("a" * 200 + ".png", f"estimates-{'a' * 50}.png"),
    ],
)
def test_names_of_pictures_are_safe(name: str, stored: str) -> None:
    assert drafts.picture_file_name(name, "png", "estimates") == stored


def test_a_second_picture_of_the_same_name_gets_a_new_name(session: Session) -> None:
    names = [
        drafts.add_picture(session, "article", "estimates", _picture("a.png", content), used_names=["a-2.png"])
        for content in (b"1", b"2", b"1")
    ]

    assert names == ["a.png", "a-3.png", "a.png"]
    assert drafts.pictures(session, "article", "estimates") == {"a.png": (800, 400), "a-3.png": (800, 400)}


def test_pictures_are_limited_to_forty(session: Session) -> None:
    names = [
        drafts.add_picture(session, "article", "estimates", _picture(f"{number}.png", b"%d" % number), used_names=[])
        for number in range(41)
    ]

    assert names[-2:] == ["39.png", None]


def test_pictures_of_a_text_are_found() -> None:
    text = '---\npicture: {file: a.png, alt: x}\n---\n![b](b.png "c")\n\n![a](a.png) ![](d.webp)\n'

    assert drafts.picture_names(text) == ["a.png", "b.png", "d.webp"]


@pytest.mark.parametrize(
    "markdown",
    ["![A \\[b\\] c](b.png)", "![A [b] c](b.png)", "![A\nb](b.png)", "![A](<b.png>)", "![A][b]\n\n[b]: b.png 'Caption'"],
    ids=["escaped brackets", "brackets", "two lines", "angle brackets", "reference"],
)
def test_a_picture_is_found_however_it_is_written(markdown: str) -> None:
    assert drafts.picture_names(f"---\ntitle: x\n---\n[questions](/faq)\n\n{markdown}\n") == ["b.png"]


def test_a_comparison_ignores_how_fields_are_written() -> None:
    texts = ("---\ndate: 2026-05-01\ntitle: 'Estimates'\n---\nA\n", "---\ntitle: Estimates\ndate: 2026-05-01\n---\nA\n")

    assert len({drafts.ordered_text(KEY, text) for text in texts}) == 1
    assert drafts.ordered_text(KEY, "no front matter") == "no front matter"


def test_discarding_a_draft_removes_its_revisions_and_pictures(session: Session, save: Callable) -> None:
    save(TEXT)
    drafts.add_picture(session, "article", "estimates", _picture("a.png"), used_names=[])

    drafts.discard(session, "article", "estimates", ADA)

    assert session.exec(select(Revision)).all() == []
    assert session.exec(select(DraftPicture)).all() == []

"""Translations of the office lie over those of locales/, are checked before they are shown, and are taken into the catalogs."""

from dataclasses import replace
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from site_app.core.i18n import catalogs, reload_changed_catalogs, t, tn, translate, use
from site_app.core.i18n.office_catalogs import (
    OfficeTranslation,
    as_po,
    form_mistakes,
    mistakes_of,
    office_file,
    read_office,
    written_office,
)
from site_app.core.locales import BY_ID
from site_app.core.settings import Settings

THAI = BY_ID["th"]
GREETING, COUNTED = ("Hello {name}",), ("{count} day", "{count} days")


@pytest.mark.parametrize(
    ("english", "form"),
    [
        (GREETING, "สวัสดี {name}"),
        (("All",), "ทั้งหมด"),
        (("<b>All</b>",), "<b>ทั้งหมด</b>"),
        (COUNTED, "วันเดียว"),
        (("Set {a} and {b}",), "{b} {a}"),
        (("Braces like } are no placeholders",), "วงเล็บ { แบบนี้"),
        (("One\ntwo",), "หนึ่ง\nสอง"),
    ],
)
def test_a_translation_without_mistakes_has_no_problem(english: tuple[str, ...], form: str) -> None:
    assert list(form_mistakes(english, form)) == []


@pytest.mark.parametrize(
    ("english", "form", "words_of_mistake"),
    [
        (GREETING, "สวัสดี", "placeholders"),
        (GREETING, "{name} {name.__class__.__mro__}", "placeholders"),
        (GREETING, "{name!r}", "placeholders"),
        (GREETING, "{name:>999999999}", "placeholders"),
        (GREETING, "{0}", "placeholders"),
        (COUNTED, "{days}", "placeholders"),
        (GREETING, "{name} {", "brace"),
        (GREETING, "<script>{name}</script>", "tags"),
        (GREETING, "{name} <img src=x onerror=alert(1) ", "tags"),
        (("<b>All</b>",), "<b onclick=x>ทั้งหมด</b>", "tags"),
        (GREETING, "{name}\nBcc: x@example.com", "one line"),
        (GREETING, "{name}\x00", "cannot be seen"),
        (GREETING, "\u202e{name}", "cannot be seen"),
    ],
)
def test_a_form_that_would_break_a_page_has_a_mistake(english: tuple[str, ...], form: str, words_of_mistake: str) -> None:
    mistakes = mistakes_of(english, [form])
    assert any(words_of_mistake in mistake for mistake in mistakes), mistakes


def test_a_catalog_is_sorted_and_loses_withdrawn_translations() -> None:
    first = written_office(
        THAI,
        None,
        {
            ("", GREETING[0]): OfficeTranslation(GREETING, ("สวัสดี {name}",)),
            ("", COUNTED[0]): OfficeTranslation(COUNTED, ("{count} วัน",)),
            ("list", ", "): OfficeTranslation((", ",), ("、",)),
        },
    )
    assert first is not None
    assert [message.id for message in read_office(first)] == [", ", GREETING[0], COUNTED]
    assert written_office(THAI, first, {}) == first

    second = written_office(THAI, first, {("", GREETING[0]): None, ("list", ", "): None})
    assert [message.string for message in read_office(second)] == [("{count} วัน",)]
    assert written_office(THAI, second, {("", COUNTED[0]): None}) is None


def test_a_file_that_is_no_catalog_translates_nothing() -> None:
    for content in (
        None,
        b"",
        b"\xff\xfe\x00",
        b"<html>",
        b'msgid "a"\nmsgstr "b',
        b'"Content-Type: text/plain; charset=nonsense\\n"',
    ):
        assert read_office(content) == []


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site with two texts in Thai, and its SITE_CONTENT."""
    file = tmp_path / "locales/th/LC_MESSAGES/messages.po"
    file.parent.mkdir(parents=True)
    shipped = Catalog(locale="th", fuzzy=False)
    shipped.add(GREETING[0], "หวัดดี {name}")
    shipped.add(COUNTED, ("{count} วัน",))
    file.write_text(as_po(shipped), encoding="utf-8")
    settings = replace(Settings(), content=tmp_path / "content")
    monkeypatch.setattr(translate, "CATALOGS", tmp_path / "locales")
    monkeypatch.setattr(translate, "settings", lambda: settings)
    monkeypatch.setattr(translate, "_catalogs", {})
    office_file(tmp_path / "content", "th").parent.mkdir(parents=True)
    return tmp_path / "content"


def test_published_translations_are_shown_once_catalogs_are_read_again(content: Path) -> None:
    with use(THAI):
        assert t("Hello {name}", name="Ada") == "หวัดดี Ada"
        changes = {
            ("", GREETING[0]): OfficeTranslation(GREETING, ("สวัสดี {name}",)),
            ("", COUNTED[0]): OfficeTranslation(COUNTED, ("ครบ {count} วัน",)),
            ("", "A text that is gone"): OfficeTranslation(("A text that is gone",), ("หาย",)),
        }
        office_file(content, "th").write_bytes(written_office(THAI, None, changes) or b"")
        assert t("Hello {name}", name="Ada") == "หวัดดี Ada"

        reload_changed_catalogs()

        assert t("Hello {name}", name="Ada") == "สวัสดี Ada"
        assert tn(*COUNTED, 2) == "ครบ 2 วัน"
        assert t("A text that is gone") == "A text that is gone"


def test_a_translation_that_would_break_a_page_is_not_shown(content: Path) -> None:
    changes = {
        ("", GREETING[0]): OfficeTranslation(GREETING, ("{nobody}",)),
        ("", COUNTED[0]): OfficeTranslation(COUNTED, ("{count} <script>",)),
    }
    office_file(content, "th").write_bytes(written_office(THAI, None, changes) or b"")

    with use(THAI):
        assert t("Hello {name}", name="Ada") == "หวัดดี Ada"
        assert tn(*COUNTED, 2) == "2 วัน"


def test_the_catalogs_take_in_what_the_office_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogs, "CATALOGS", tmp_path / "locales")
    code, content = tmp_path / "code", tmp_path / "content"
    code.mkdir()
    (code / "home.py").write_text('t("Hello {name}", name="Ada")\nt("Good day")\n')
    catalogs.update(code)
    file = office_file(content, "th")
    file.parent.mkdir(parents=True)
    changes = {("", "Good day"): OfficeTranslation(("Good day",), ("สวัสดีตอนเช้า",))}
    file.write_bytes(written_office(THAI, None, changes) or b"")

    (code / "home.py").write_text('t("Hello {name}", name="Ada")\nt("Good day!")\n')
    catalogs.update(code, content)

    assert not file.exists()
    assert catalogs.read_catalog_file(THAI)["Good day!"].string == "สวัสดีตอนเช้า"
    assert catalogs.to_review(THAI) == ["code/home.py: 'Good day!', translated when it was 'Good day'"]

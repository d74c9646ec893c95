"""Catalogs follow the texts of the code and report missing translations."""

import re
from pathlib import Path

import pytest

from site_app.core.i18n import catalogs
from site_app.core.locales import BY_ID, Locale

THAI, CHINESE = BY_ID["th"], BY_ID["cn"]


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One module with one text, and up-to-date catalogs."""
    monkeypatch.setattr(catalogs, "CATALOGS", tmp_path / "locales")
    code = tmp_path / "content"
    code.mkdir()
    (code / "home.py").write_text('t("Hello")\n')
    catalogs.update(code)
    return code


def test_a_text_that_is_only_in_the_code_yet_counts_as_missing(sources: Path) -> None:
    _translate("Hello", "สวัสดี")
    (sources / "home.py").write_text('t("Hello")\nt("Good day")\n')

    assert catalogs.untranslated(THAI, catalogs.extract(sources)) == ["content/home.py: 'Good day'"]


def test_a_changed_text_is_one_fault_each_way_however_many_catalogs_there_are(sources: Path) -> None:
    (sources / "home.py").write_text('t("Good day")\n')

    assert list(catalogs.mistakes(sources)) == [
        "not in every catalog: 'Good day': run make words",
        "no longer in the code: 'Hello': run make words",
    ]


def test_a_translation_without_a_placeholder_is_a_fault(sources: Path) -> None:
    (sources / "home.py").write_text('t("Hello {name}", name="Ada")\n')
    catalogs.update(sources)
    _translate("Hello {name}", "สวัสดี")

    assert [mistake.partition(":")[0] for mistake in catalogs.mistakes(sources)] == ["th/LC_MESSAGES/messages.po"]


def test_an_edited_text_keeps_its_translation_until_it_is_reviewed(sources: Path) -> None:
    _translated(sources, "home.py", "We answer within one day")

    (sources / "home.py").write_text('t("We answer within a day")\n')
    catalogs.update(sources)
    catalogs.update(sources)

    assert catalogs.untranslated(THAI, catalogs.extract(sources)) == []
    assert len(catalogs.untranslated(CHINESE, catalogs.extract(sources))) == 1
    assert catalogs.to_review(THAI) == [
        "content/home.py: 'We answer within a day', translated when it was 'We answer within one day'"
    ]
    assert '#| msgid "We answer within one day"' in catalogs.catalog_file(THAI).read_text()
    assert list(catalogs.mistakes(sources)) == []


def test_a_reverted_edit_needs_no_review(sources: Path) -> None:
    _translated(sources, "home.py", "We answer within one day")
    text_before = catalogs.catalog_file(THAI).read_text()

    for text in ("We answer within a day", "We answer within one day"):
        (sources / "home.py").write_text(f't("{text}")\n')
        catalogs.update(sources)

    assert catalogs.catalog_file(THAI).read_text() == text_before


@pytest.mark.parametrize(
    ("module", "edited"),
    [
        ("home.py", ["Nothing that was said before"]),
        ("home.py", ["We answer {name} within one day"]),  # a translation that would not fill in its values
        ("home.py", ["We answer <b>within</b> one day"]),
        ("home.py", ["We answer within one day", "We answer within one day!"]),  # still shown with the old translation
        ("legal.py", ["We answer within a day"]),  # legally binding
    ],
)
def test_a_text_with_another_meaning_gets_no_old_translation(sources: Path, module: str, edited: list[str]) -> None:
    _translated(sources, module, "We answer within one day")

    (sources / module).write_text("".join(f't("{text}")\n' for text in edited))
    catalogs.update(sources)

    assert catalogs.to_review(THAI) == []
    assert f"{edited[-1]!r}" in "".join(catalogs.untranslated(THAI, catalogs.extract(sources)))


def _translated(sources: Path, module: str, english: str) -> None:
    """Writes a module with one text, and its translation."""
    (sources / module).write_text(f't("{english}")\n')
    catalogs.update(sources)
    _translate(english, "เราตอบภายในหนึ่งวัน")


def _translate(english: str, thai: str) -> None:
    file = catalogs.catalog_file(THAI)
    file.write_text(file.read_text().replace(f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{thai}"'))


@pytest.mark.parametrize("locale", [THAI, CHINESE], ids=lambda locale: locale.id)
def test_no_text_holds_a_character_without_width(locale: Locale) -> None:
    """It would spoil search and copying; the glossary lists words that lines keep whole."""
    messages = list(catalogs.read_catalog_file(locale))

    assert messages
    for message in messages:
        assert not re.search("[\u200b-\u200f\u2060\ufeff]", str(message.string)), message.string
